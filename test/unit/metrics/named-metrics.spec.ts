import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrometheusMetrics } from '../../../src/adapters/metrics/index.js';

const root = join(__dirname, '../../../src');
const CALL = /metrics\??\.(add|set|observe|reset)\(\s*'([a-z_]+)'/gu;

/** Calls of the Metrics port in the sources, as `method name`. An unknown name would throw in production only. */
function callsInSources(): string[] {
  const calls = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(CALL)])
    .map(([, method, name]) => `${method!} ${name!}`);
  return [...new Set(calls)].sort();
}

describe('metrics that the sources name', () => {
  const calls = callsInSources();

  it('are found', () => {
    expect(calls).toContain('add evicted_pods_total');
  });

  it.each(calls)('exist, and have the kind: %s', (call) => {
    const [method, name] = call.split(' ') as ['add' | 'set' | 'observe', string];
    const metrics = new PrometheusMetrics({ perNodeGroup: false });
    expect(() => metrics[method](name, 0)).not.toThrow();
  });
});
