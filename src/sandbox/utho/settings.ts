/** How long things take, in world time (`utho` 5.1). Infinity: it never happens. */
export interface UthoTimings {
  /** From the order of a worker to its record. */
  visibleAfterMs: number;
  /** From the record to a worker that runs. */
  activeAfterMs: number;
  /** From the start of a deletion to its end. */
  deleteTakesMs: number;
  /** From the loss of a worker to the order of another. */
  recreateAfterMs: number;
}

export type Capacity = 'none' | 'reject' | 'clip' | 'fail';
export type Dialect = 'sdk' | 'ccm' | 'mixed';
export type Typing = 'documented' | 'strings' | 'numbers' | 'legacy' | 'random';
export type JunkPrefix = 'none' | 'newline' | 'BOM' | 'text';
export type EmptyCollections = '[]' | '{}' | 'null' | 'omitted';

/**
 * Behaviour that is not known of the real API, or differs between its versions (`utho` 5.2). The defaults are the
 * documented reading, and where there are several, the one that hurts a careless client.
 */
export interface UthoSettings {
  timings: UthoTimings;
  /** Reads show the cluster as it was this long ago. */
  readLagMs: number;
  /** So many reads after a write still show the cluster as it was before. */
  readLagReads: number;
  updateResponse: 'minimal' | 'rich';
  /** What an update does with `label` and `size`: nothing, refuse unknown plans, or rename and re-plan the pool. */
  extraFields: 'ignore' | 'reject' | 'apply';
  /** Whether an update to 0 removes the pool or its workers only. */
  zeroCount: 'remove' | 'keepEmpty';
  /** Whether a pool goes when its last worker was deleted by name. */
  emptiedPool: 'stay' | 'vanish';
  /** False: the platform replaces a worker that was deleted by name. */
  deleteDecrements: boolean;
  /** Whom a deletion by name hits: `random` any worker, `other` any but the named one. */
  deleteVictim: 'named' | 'random' | 'other';
  /** Whether a deletion by name that was accepted does anything. */
  deleteEffect: 'applied' | 'none';
  /** `on` lowers a count to the pool's maximum, `error` refuses counts outside of the bounds. */
  enforceBounds: 'off' | 'on' | 'error';
  /** What becomes of growth; a pool may have its own. */
  capacity: Capacity;
  /** The sentence of `reject`, and of workers that fail. */
  capacityMessage: string;
  /** Write answers carry a number as `id`. */
  numericId: 'off' | 'on';
  emptyCollections: EmptyCollections;
  typing: Typing;
  junkPrefix: JunkPrefix;
  unknownCluster: 'E1' | 'E4' | 'E5' | '404';
  badToken: '401+E2' | '200+E2' | '403';
  /** How a key that may only read is told so. */
  readOnlyToken: '403' | '200';
  /** Words for the state of workers. */
  dialect: Dialect;
  /** Workers have no cpu and ram before they run. */
  emptyPendingShape: boolean;
  /** Whether the detail of a cluster carries `status`, which the documentation shows and live answers often lack. */
  readStatus: 'omitted' | 'success';
  readRcode: 'success' | '0' | 'omitted';
  /** Whether pools name themselves inside of their records. */
  poolIds: 'listed' | 'omitted';
}

/** The test defaults of the description. */
export const TEST_TIMINGS: UthoTimings = {
  visibleAfterMs: 0,
  activeAfterMs: 50,
  deleteTakesMs: 20,
  recreateAfterMs: 100,
};

/** As users see it: a worker runs within a minute and a half. */
export const LIFELIKE_TIMINGS: UthoTimings = {
  visibleAfterMs: 5_000,
  activeAfterMs: 60_000,
  deleteTakesMs: 15_000,
  recreateAfterMs: 45_000,
};

export function defaultSettings(): UthoSettings {
  return {
    timings: { ...TEST_TIMINGS },
    readLagMs: 0,
    readLagReads: 0,
    updateResponse: 'minimal',
    extraFields: 'apply',
    zeroCount: 'remove',
    emptiedPool: 'stay',
    deleteDecrements: true,
    deleteVictim: 'named',
    deleteEffect: 'applied',
    enforceBounds: 'off',
    capacity: 'none',
    capacityMessage: 'The selected plan is out of stock in this location.',
    numericId: 'off',
    emptyCollections: '[]',
    typing: 'documented',
    junkPrefix: 'none',
    unknownCluster: 'E4',
    badToken: '401+E2',
    readOnlyToken: '403',
    dialect: 'mixed',
    emptyPendingShape: false,
    readStatus: 'omitted',
    readRcode: 'success',
    poolIds: 'listed',
  };
}

/** What to set differently; the rest stays. */
export type SettingsChange = Partial<Omit<UthoSettings, 'timings'>> & {
  readonly timings?: Partial<UthoTimings>;
};

export function changedSettings(settings: UthoSettings, change: SettingsChange = {}): UthoSettings {
  return { ...settings, ...change, timings: { ...settings.timings, ...change.timings } };
}

/** What the switches may be set to; all others are numbers and sentences. */
export const SWITCHES = {
  updateResponse: ['minimal', 'rich'],
  extraFields: ['ignore', 'reject', 'apply'],
  zeroCount: ['remove', 'keepEmpty'],
  emptiedPool: ['stay', 'vanish'],
  deleteDecrements: [true, false],
  deleteVictim: ['named', 'random', 'other'],
  deleteEffect: ['applied', 'none'],
  enforceBounds: ['off', 'on', 'error'],
  capacity: ['none', 'reject', 'clip', 'fail'],
  numericId: ['off', 'on'],
  emptyCollections: ['[]', '{}', 'null', 'omitted'],
  typing: ['documented', 'strings', 'numbers', 'legacy', 'random'],
  junkPrefix: ['none', 'newline', 'BOM', 'text'],
  unknownCluster: ['E1', 'E4', 'E5', '404'],
  badToken: ['401+E2', '200+E2', '403'],
  readOnlyToken: ['403', '200'],
  dialect: ['sdk', 'ccm', 'mixed'],
  emptyPendingShape: [false, true],
  readStatus: ['omitted', 'success'],
  readRcode: ['success', '0', 'omitted'],
  poolIds: ['listed', 'omitted'],
} as const satisfies {
  readonly [Name in keyof UthoSettings]?: readonly UthoSettings[Name][];
};
