import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import type { MemoryOverhead } from './hetzner-configuration.js';
import { readBaseUrl } from '../../cloud-configuration/index.js';
import type { Findings } from '../../cloud-configuration/index.js';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

interface NumberBounds {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** Typed access to environment variables; faults are collected and the fallback is used for them. */
export class Environment {
  constructor(
    private readonly source: ConfigurationSource,
    private readonly findings: Findings,
  ) {}

  /** An empty variable is as good as none, as in the Go program. */
  text(name: string): string | null {
    const value = this.source.variable(name);
    return value === undefined || value === '' ? null : value;
  }

  /** Trimmed: ids and names have no surrounding space. */
  reference(name: string): string | null {
    const value = this.text(name)?.trim();
    return value === undefined || value === '' ? null : value;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.text(name);
    if (value === null) return fallback;
    if (TRUE.has(value)) return true;
    if (!FALSE.has(value)) this.findings.fault(name, value, `failed to parse ${name}`, 'use true or false');
    return false;
  }

  integer(name: string, bounds: NumberBounds): number {
    const value = this.text(name);
    if (value === null) return bounds.fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    this.findings.fault(
      name,
      value,
      'not a usable number',
      `use a whole number from ${bounds.min} to ${bounds.max}, or leave it unset for ${bounds.fallback}`,
    );
    return bounds.fallback;
  }

  token(): string {
    const token = this.text('HCLOUD_TOKEN')?.replace(/\r?\n$/, '') ?? '';
    if (token === '') {
      const remedy = 'set it to an API token with read and write permission';
      this.findings.fault('HCLOUD_TOKEN', null, '`HCLOUD_TOKEN` is not specified', remedy);
    } else if (!/^[\x21-\x7e]+$/.test(token)) {
      const problem = 'the token has characters that an HTTP header cannot carry';
      this.findings.fault(
        'HCLOUD_TOKEN',
        '(secret)',
        problem,
        'remove spaces and line breaks from the secret',
      );
    }
    return token;
  }

  endpoint(): string {
    const fallback = 'https://api.hetzner.cloud/v1';
    const text = this.reference('HCLOUD_ENDPOINT') ?? fallback;
    return readBaseUrl(text, 'HCLOUD_ENDPOINT', fallback, this.findings) ?? fallback;
  }

  creationTimeoutMs(): number {
    const name = 'HCLOUD_SERVER_CREATION_TIMEOUT';
    // 1440: a day; longer than any creation, and it keeps the number sane.
    const minutes = this.integer(name, { fallback: 5, min: 0, max: 1_440 }) || 5;
    if (minutes > 10) {
      this.findings.warn(
        `${name} of ${minutes} minutes is longer than the default of --max-inactivity (10 minutes); ` +
          'creation runs in the background here, so this only delays the notice of servers that hang',
      );
    }
    return minutes * 60_000;
  }

  memoryOverhead(): MemoryOverhead {
    const name = 'HCLOUD_MEMORY_OVERHEAD';
    const value = this.text(name) ?? 'auto';
    if (value === 'auto' || value === 'none') return { kind: value };
    const mebibytes = /^(\d{1,7})Mi$/.exec(value);
    if (mebibytes !== null) return { kind: 'bytes', bytes: Number(mebibytes[1]) * 1024 * 1024 };
    const percent = /^(\d{1,2}(?:\.\d+)?)%$/.exec(value);
    if (percent !== null) return { kind: 'share', share: Number(percent[1]) / 100 };
    this.findings.fault(name, value, 'not a memory overhead', 'use auto, none, <n>Mi or <n>%');
    return { kind: 'auto' };
  }
}
