import { request } from 'undici';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { DEFAULT_CLUSTER, DEFAULT_TOKEN, UthoCloud } from '../../../src/sandbox/utho/index.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';
import { MachineFleet, SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';

const ORIGIN = 'https://api.utho.com';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** Parsed body, or null. */
  readonly body: any;
}

/** A simulated account with one cluster, and a bare client to it. */
export function simulatedUtho(settings: SettingsChange = {}, seed = 7) {
  const clock = new VirtualClock();
  const fleet = new MachineFleet();
  const cloud = new UthoCloud({ clock, fleet, random: new SeededRandom(seed), settings });
  cloud.seedCluster();
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, cloud.front);
  const send = async (
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${DEFAULT_TOKEN}` },
  ): Promise<Reply> => {
    const answer = await request(`${ORIGIN}${target}`, {
      dispatcher,
      headers,
      method: method as 'GET',
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
  const cluster = `/v2/kubernetes/${DEFAULT_CLUSTER}`;
  return {
    clock,
    fleet,
    cloud,
    dispatcher,
    send,
    read: () => send('GET', cluster),
    update: (pool: string, body: unknown) => send('POST', `${cluster}/nodepool/${pool}/update`, body),
    remove: (pool: string, worker: string) => send('DELETE', `${cluster}/nodepool/${pool}/${worker}/delete`),
    /** The pool's record in a fresh read. */
    pool: async (id: string) => (await send('GET', cluster)).body.nodepools[id],
  };
}

export type SimulatedUtho = ReturnType<typeof simulatedUtho>;
