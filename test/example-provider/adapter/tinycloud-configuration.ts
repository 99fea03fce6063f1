import { ConfigurationError } from '../../../src/application/ports/configuration.js';
import type {
  ConfigurationFault,
  ConfigurationSource,
} from '../../../src/application/ports/configuration.js';

/** One `--nodes` flag: a pool of equal machines. */
export interface Pool {
  /** Group id, and the tag that each machine of the pool carries in the cloud. */
  readonly id: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly size: string;
}

export interface TinycloudConfiguration {
  readonly token: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly pools: readonly Pool[];
}

export const TinycloudConfiguration = Symbol('TinycloudConfiguration');

/** `<min>:<max>:<size>:<pool>`. A pool's name becomes a part of host names. */
const POOL_SPEC = /^(\d+):(\d+):([a-z0-9]+):([a-z][a-z0-9-]{0,40})$/;

/** Judges everything that needs no network, and reports all faults at once. Throws ConfigurationError. */
export function readTinycloudConfiguration(
  source: ConfigurationSource,
  nodes: readonly string[],
): TinycloudConfiguration {
  const faults: ConfigurationFault[] = [];
  const token = source.variable('TINYCLOUD_TOKEN') ?? '';
  if (token === '') {
    faults.push({
      place: 'TINYCLOUD_TOKEN',
      value: null,
      problem: 'no request works without a token',
      remedy: 'create one in the console of Tinycloud',
    });
  }
  const url = source.variable('TINYCLOUD_URL') ?? 'https://api.tinycloud.example';
  if (!URL.canParse(url)) {
    faults.push({
      place: 'TINYCLOUD_URL',
      value: url,
      problem: 'it is no URL',
      remedy: 'leave it out, or write scheme and host',
    });
  }
  const pools = nodes.flatMap((spec, index) => readPool(spec, `--nodes[${index}]`, faults));
  for (const { id } of pools.filter(
    (pool, index) => pools.findIndex((other) => other.id === pool.id) < index,
  )) {
    const problem = 'two flags name the same pool';
    faults.push({ place: '--nodes', value: id, problem, remedy: 'give each pool a name of its own' });
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { token, url: url.replace(/\/$/, ''), pools };
}

function readPool(spec: string, place: string, faults: ConfigurationFault[]): readonly Pool[] {
  const [, min, max, size, id] = POOL_SPEC.exec(spec) ?? [];
  if (size === undefined || id === undefined) {
    const problem = 'it is not of the form <min>:<max>:<size>:<pool>';
    faults.push({ place, value: spec, problem, remedy: 'write for example 0:5:small:web' });
    return [];
  }
  const pool = { id, size, minSize: Number(min), maxSize: Number(max) };
  if (pool.minSize > pool.maxSize) {
    faults.push({ place, value: spec, problem: 'the minimum is above the maximum', remedy: 'swap them' });
  }
  return [pool];
}
