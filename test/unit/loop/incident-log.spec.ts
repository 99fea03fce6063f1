import { IncidentLog } from '../../../src/application/incidents/incident-log.js';
import type { Logger } from '../../../src/application/ports/logger.js';
import { VirtualClock } from '../../../src/sandbox/world/index.js';

function create() {
  const lines: string[] = [];
  const write =
    (severity: string) =>
    (event: string, message: string): void => {
      lines.push(`${severity} ${event}: ${message}`);
    };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const clock = new VirtualClock();
  return { lines, clock, incidents: new IncidentLog(clock, logger) };
}

describe('an incident', () => {
  it('is told when it begins and when it is over, with duration and count', async () => {
    const { lines, clock, incidents } = create();
    for (let failure = 0; failure < 3; failure++) {
      incidents.happened('api', 'the API is away');
      await clock.advance(10_000);
    }
    expect(incidents.open().get('api')).toMatchObject({ count: 3, message: 'the API is away' });
    incidents.over('api');
    incidents.over('api');
    expect(lines).toEqual([
      'warn incident-began: the API is away',
      'info incident-over: over after 30 s, 3 failures: the API is away',
    ]);
    expect(incidents.open().size).toBe(0);
  });

  it('is told again when it changes its kind, and is one incident all the same', async () => {
    const { lines, clock, incidents } = create();
    incidents.happened('api', 'the API is away');
    await clock.advance(10_000);
    incidents.happened('api', 'the API answers 500');
    incidents.over('api');
    expect(lines).toEqual([
      'warn incident-began: the API is away',
      'warn incident-began: the API answers 500',
      'info incident-over: over after 10 s, 2 failures: the API answers 500',
    ]);
  });

  it('that changes to and fro, or has numbers in its messages, is told a few times only', () => {
    const { lines, incidents } = create();
    for (let failure = 0; failure < 100; failure++) {
      incidents.happened('flapping', failure % 2 === 0 ? 'it is away' : 'it answers 500');
      incidents.happened('counting', `version ${failure} is too old`);
    }
    expect(lines.filter((line) => line.includes('it '))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('version'))).toHaveLength(5);
    expect(incidents.open().get('counting')).toMatchObject({ count: 100, message: 'version 99 is too old' });
  });

  it('of one thing does not hide that of another', () => {
    const { lines, incidents } = create();
    incidents.happened('a', 'a is away');
    incidents.happened('b', 'b is away');
    incidents.over('a');
    expect(lines).toHaveLength(3);
    expect([...incidents.open().keys()]).toEqual(['b']);
  });
});
