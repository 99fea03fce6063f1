import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, DEFAULT_LOGGING, SecretRegistry } from '../../../src/adapters/logging/index.js';
import type { LoggingSettings } from '../../../src/adapters/logging/index.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import type { Logger } from '../../../src/application/ports/logger.js';

const clock: Clock = {
  now: () => Date.UTC(2026, 10, 30, 19, 21, 22, 123),
  sleep: () => Promise.resolve(),
  yield: () => Promise.resolve(),
};

interface Recorded {
  readonly logger: Logger;
  readonly secrets: SecretRegistry;
  readonly lines: string[];
}

function record(settings: Partial<LoggingSettings> = {}): Recorded {
  const lines: string[] = [];
  const secrets = new SecretRegistry();
  const destination = { write: (text: string): void => void lines.push(text) };
  return {
    logger: createLogger({ ...DEFAULT_LOGGING, ...settings }, clock, secrets, destination),
    secrets,
    lines,
  };
}

describe('text lines', () => {
  it('have the header of klog with the event in place of a source line', () => {
    const { logger, lines } = record();
    logger.info('scale-up-planned', 'pool1 grows', { group: 'pool1', from: 1, to: 3 });
    logger.warn('incident-began', 'API is away');
    logger.error('loop-failed', 'no nodes', { error: new Error('boom') });
    const processId = process.pid.toString().padStart(7);
    expect(lines).toEqual([
      `I1130 19:21:22.123000 ${processId} scale-up-planned] pool1 grows group="pool1" from=1 to=3\n`,
      `W1130 19:21:22.123000 ${processId} incident-began] API is away\n`,
      `E1130 19:21:22.123000 ${processId} loop-failed] no nodes err="boom"\n`,
    ]);
  });

  it('stay on one line', () => {
    const { logger, lines } = record({ skipHeaders: true });
    logger.info('event', 'two\nlines', { note: 'a\nb' });
    expect(lines).toEqual(['two\\nlines note="a\\nb"\n']);
  });

  it('can go without header', () => {
    const { logger, lines } = record({ skipHeaders: true });
    logger.info('event', 'message');
    expect(lines).toEqual(['message\n']);
  });
});

describe('JSON lines', () => {
  // interface 9/18
  it('are one object each with ts, caller, msg, and v except on errors', () => {
    const { logger, lines } = record({ format: 'json', verbosity: 4 });
    logger.info('a', 'info');
    logger.warn('b', 'warning');
    logger.debug('c', 'debug', { count: 2 });
    logger.error('d', 'error', { error: new Error('boom') });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { severity: 'info', ts: clock.now(), caller: 'a', msg: 'info', v: 0 },
      { severity: 'warning', ts: clock.now(), caller: 'b', msg: 'warning', v: 0 },
      { severity: 'info', ts: clock.now(), caller: 'c', msg: 'debug', v: 4, count: 2 },
      { severity: 'error', ts: clock.now(), caller: 'd', msg: 'error', err: 'boom' },
    ]);
    expect(lines.every((line) => line.endsWith('}\n'))).toBe(true);
  });

  it('keep their own keys when a field has the same name', () => {
    const { logger, lines } = record({ format: 'json' });
    logger.info('a', 'info', { msg: 'other', ts: 1 });
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'info', msg_: 'other', ts: clock.now(), ts_: 1 });
  });
});

describe('verbosity', () => {
  function eventsAt(settings: Partial<LoggingSettings>): string[] {
    const { logger, lines } = record({ ...settings, format: 'json' });
    logger.info('plain', '');
    logger.info('start', '', { v: 1 });
    logger.debug('detail', '');
    logger.debug('dump', '', { v: 5 });
    logger.error('failure', '', { v: 9 });
    return lines.map((line) => (JSON.parse(line) as { caller: string }).caller);
  }

  it.each([
    [0, ['plain', 'failure']],
    [1, ['plain', 'start', 'failure']],
    [4, ['plain', 'start', 'detail', 'failure']],
    [5, ['plain', 'start', 'detail', 'dump', 'failure']],
  ])('%i shows %j', (verbosity, events) => {
    expect(eventsAt({ verbosity })).toEqual(events);
  });

  it('can be raised for events by pattern, and is never lowered', () => {
    const verbosityPatterns = [
      { pattern: 'd?mp', level: 5 },
      { pattern: '*', level: 0 },
    ];
    expect(eventsAt({ verbosityPatterns })).toEqual(['plain', 'dump', 'failure']);
  });
});

describe('secrets', () => {
  it.each(['text', 'json'] as const)('registered once never show up in %s output', (format) => {
    const { logger, secrets, lines } = record({ format });
    secrets.register('s3cr"t-token\n');
    logger.info('request', 'sent s3cr"t-token twice: s3cr"t-token', { url: 'https://x?k=s3cr"t-token' });
    logger.error('failed', 'refused', { error: new Error('bad s3cr"t-token') });
    expect(lines.join('')).not.toMatch(/s3cr/u);
    expect(lines.join('').match(/\(secret\)/gu)).toHaveLength(4);
  });

  it('are hidden by the name of their field at any depth', () => {
    const { logger, lines } = record({ skipHeaders: true });
    logger.info('request', 'sent', {
      headers: { Authorization: 'Bearer abc', accept: 'json' },
      list: [{ root_password: 'x' }],
      HCLOUD_TOKEN: 'abc',
      userData: '#cloud-config',
      hasToken: true,
    });
    expect(lines[0]).toBe(
      'sent headers={"Authorization":"(secret)","accept":"json"} list=[{"root_password":"(secret)"}] ' +
        'HCLOUD_TOKEN="(secret)" userData="(secret)" hasToken=true\n',
    );
  });

  it('too short to be secrets are left alone', () => {
    const secrets = new SecretRegistry();
    secrets.register('');
    secrets.register('abc');
    expect(secrets.redact('abc')).toBe('abc');
  });

  it('are remembered in a bounded number, the latest first', () => {
    const secrets = new SecretRegistry();
    for (let serial = 0; serial < 1_000; serial += 1)
      secrets.register(`token-${serial.toString().padStart(4, '0')}`);
    expect(secrets.redact('token-0999 token-0000')).toBe('(secret) token-0000');
  });

  it('do not make a circular or deep object fail', () => {
    const { logger, lines } = record({ format: 'json' });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    logger.info('event', 'message', { circular, when: new Map([['a', 1n]]), tags: new Set(['x']) });
    expect(JSON.parse(lines[0]!)).toMatchObject({ when: { a: '1' }, tags: ['x'] });
  });
});

describe('destinations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-logging-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const bundle = join(folder, 'logging.cjs');
  beforeAll(() => {
    const argv = ['src/adapters/logging/index.ts', '--bundle', '--platform=node', `--outfile=${bundle}`];
    execFileSync('node_modules/.bin/esbuild', argv, { stdio: 'pipe' });
  });

  /** Runs the logger in a process of its own, because the streams are those of the process. */
  function runWith(settings: Partial<LoggingSettings>): { stdout: string; stderr: string } {
    const script = `
      const { createLogger, DEFAULT_LOGGING, SecretRegistry } = require(${JSON.stringify(bundle)});
      const settings = { ...DEFAULT_LOGGING, ...${JSON.stringify(settings)}, skipHeaders: true };
      const logger = createLogger(settings, { now: () => 0 }, new SecretRegistry());
      logger.info('a', 'information');
      logger.error('b', 'failure');
      process.exit(0);
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    return { stdout, stderr };
  }

  // interface 9/17
  it('is stderr for everything by default, complete at exit', () => {
    expect(runWith({})).toEqual({ stdout: '', stderr: 'information\nfailure\n' });
  });

  it('splits streams', () => {
    expect(runWith({ splitStream: true })).toEqual({ stdout: 'information\n', stderr: 'failure\n' });
  });

  it('appends to a file in a new folder', () => {
    const filePath = join(folder, 'deep', 'log');
    expect(runWith({ filePath, toStderr: false })).toEqual({ stdout: '', stderr: '' });
    expect(runWith({ filePath, toStderr: true }).stderr).toBe('information\nfailure\n');
    expect(readFileSync(filePath, 'utf8')).toBe('information\nfailure\ninformation\nfailure\n');
    expect(statSync(filePath).mode & 0o777).toBe(0o644);
  });
});
