import { request } from 'undici';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { DEFAULT_TOKEN, HetznerCloud, frontWithAdmin } from '../../../src/sandbox/hetzner/index.js';
import type { HetznerCloudOptions } from '../../../src/sandbox/hetzner/index.js';
import { MachineFleet, SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';

const ORIGIN = 'https://api.hetzner.cloud';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** Parsed body, or null. */
  readonly body: any;
}

export type Options = Partial<Pick<HetznerCloudOptions, 'settings' | 'fixtures'>> & { seed?: number };

/** A simulated project, and a bare client to it. */
export function simulatedCloud(options: Options = {}) {
  const { seed = 7, ...rest } = options;
  const clock = new VirtualClock();
  const fleet = new MachineFleet();
  const cloud = new HetznerCloud({ clock, fleet, random: new SeededRandom(seed), ...rest });
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, frontWithAdmin(cloud));
  const send = async (
    method: string,
    target: string,
    body?: unknown,
    token: string | null = DEFAULT_TOKEN,
  ): Promise<Reply> => {
    const answer = await request(`${ORIGIN}${target}`, {
      dispatcher,
      method: method as 'GET',
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    let json: unknown = null;
    try {
      json = JSON.parse(text);
    } catch {
      // Some answers are meant not to be JSON.
    }
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, text, body: json };
  };
  return {
    clock,
    fleet,
    cloud,
    dispatcher,
    send,
    get: (path: string) => send('GET', `/v1${path}`),
    post: (path: string, body?: unknown) => send('POST', `/v1${path}`, body),
    remove: (path: string) => send('DELETE', `/v1${path}`),
    /** Virtual seconds since the beginning. */
    seconds: () => (clock.now() - Date.UTC(2026, 0, 1)) / 1000,
  };
}

export type SimulatedCloud = ReturnType<typeof simulatedCloud>;

/** Body of a create that is accepted. */
export function order(name: string, change: Record<string, unknown> = {}) {
  return {
    name,
    server_type: 'cx33',
    image: 161547269,
    location: 'fsn1',
    ssh_keys: [3301],
    labels: { team: 'a' },
    ...change,
  };
}

/** Exact durations, so that moments can be named: create 8 s, start 3 s, attach 2 s, delete 3 s, firewall 2 s. */
export const EXACT_TIMINGS = Object.fromEntries(
  Object.entries({
    createServer: 8,
    startServer: 3,
    powerOff: 2,
    guestShutdown: 15,
    reboot: 5,
    attachToNetwork: 2,
    deleteServer: 3,
    applyFirewall: 2,
    other: 1,
  }).map(([name, seconds]) => [name, { meanMs: seconds * 1000, spreadMs: 0 }]),
);
