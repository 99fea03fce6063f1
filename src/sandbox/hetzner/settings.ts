/** A duration drawn evenly from mean ± spread. */
export interface Timing {
  readonly meanMs: number;
  readonly spreadMs: number;
}

/** How long things take (`hetzner` 4.4). */
export interface Timings {
  createServer: Timing;
  startServer: Timing;
  powerOff: Timing;
  /** From the signal until the guest has shut down. */
  guestShutdown: Timing;
  reboot: Timing;
  attachToNetwork: Timing;
  deleteServer: Timing;
  /** Applying a firewall by label selector after the creation; keeps the server locked. */
  applyFirewall: Timing;
  /** Everything else. */
  other: Timing;
}

export type StockMessage =
  | 'error during placement'
  | 'we are unable to provision servers for this location, try with a different location or try later'
  | 'server location disabled';

/**
 * Behaviour that differs between accounts and times, or that is not known of the real API (marked ?; the default is
 * the reading that is safe to rely on).
 */
export interface HetznerSettings {
  timings: Timings;
  /** A sold-out create fails at the request (`sync`), or later, as error of its action (`async`). */
  stockFailure: 'sync' | 'async';
  stockMessage: StockMessage;
  /** Chance that a create fails although there is stock: capacity that comes and goes. */
  dribbleProbability: number;
  /** Chance that a spread placement group finds no further host. */
  placementErrorProbability: number;
  /** The catalogue's `available` follows the stock this much later. */
  catalogueLagMs: number;
  /** Lists show servers as they were this long ago; single reads are current. */
  listLagMs: number;
  /** ? A server whose creation failed vanishes instead of staying as `off`. */
  failedCreateVanishes: boolean;
  /** ? DELETE is accepted while `create_server` runs. */
  deleteWhileCreating: boolean;
  /** ? `next_actions` of a create with networks lists `attach_to_network`. */
  networkActionListed: boolean;
  /** ? Unknown ids in a request are `not_found` or `invalid_input`. */
  unknownReference: 'not_found' | 'invalid_input';
  /** ? `poweron` of a running server is an error instead of an action that succeeds. */
  powerOnWhileRunningFails: boolean;
  /** ? Primary IPs created with a server go with it. */
  implicitPrimaryIpsGo: boolean;
  /** ? `per_page` above 50 is refused instead of lowered. */
  strictPageSize: boolean;
  /** Unknown fields of a create are refused, to catch misspelt ones. */
  strictFields: boolean;
  /** Lists without `sort` come in any order. */
  shuffledDefaultOrder: boolean;
  /** `/datacenters` answers as it did before its removal. */
  legacyDatacenters: boolean;
  /** An image of another architecture is accepted: the server runs, its node never registers. */
  wrongArchitectureBoots: boolean;
}

const seconds = (mean: number, spread = 0): Timing => ({ meanMs: mean * 1000, spreadMs: spread * 1000 });

export function defaultSettings(): HetznerSettings {
  return {
    timings: {
      createServer: seconds(8, 4),
      startServer: seconds(3, 2),
      powerOff: seconds(2),
      guestShutdown: seconds(15),
      reboot: seconds(5),
      attachToNetwork: seconds(2, 1),
      deleteServer: seconds(3, 2),
      applyFirewall: seconds(2, 2),
      other: seconds(1),
    },
    stockFailure: 'sync',
    stockMessage: 'error during placement',
    dribbleProbability: 0,
    placementErrorProbability: 0,
    catalogueLagMs: 60_000,
    listLagMs: 0,
    failedCreateVanishes: false,
    deleteWhileCreating: false,
    networkActionListed: false,
    unknownReference: 'not_found',
    powerOnWhileRunningFails: false,
    implicitPrimaryIpsGo: true,
    strictPageSize: false,
    strictFields: false,
    shuffledDefaultOrder: false,
    legacyDatacenters: false,
    wrongArchitectureBoots: false,
  };
}

/** What to set differently; the rest stays. */
export type SettingsChange = Partial<Omit<HetznerSettings, 'timings'>> & {
  readonly timings?: Partial<Timings>;
};

export function changedSettings(settings: HetznerSettings, change: SettingsChange = {}): HetznerSettings {
  return { ...settings, ...change, timings: { ...settings.timings, ...change.timings } };
}

/** Quotas of one project (`hetzner` 4.7). */
export interface Quotas {
  servers: number;
  dedicatedCores: number;
  /** Null: twice the servers. */
  primaryIps: number | null;
  placementGroups: number;
  serversPerNetwork: number;
  networksPerServer: number;
  firewallsPerServer: number;
}

export function defaultQuotas(): Quotas {
  return {
    servers: 100,
    dedicatedCores: 64,
    primaryIps: null,
    placementGroups: 50,
    serversPerNetwork: 100,
    networksPerServer: 3,
    firewallsPerServer: 5,
  };
}

/** Members of a spread placement group, at most. */
export const GROUP_MEMBERS_MAX = 10;
