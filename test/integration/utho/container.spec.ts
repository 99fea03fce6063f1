import { Container } from 'inversify';
import {
  createUthoDispatcher,
  readUthoConfiguration,
  UthoApi,
  UthoConfiguration,
  UthoDispatcher,
  UthoProvider,
  UthoTelemetry,
} from '../../../src/adapters/utho/index.js';
import { Clock } from '../../../src/application/ports/clock.js';
import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { ClusterReader } from '../../../src/application/ports/cluster-reader.js';
import { Incidents } from '../../../src/application/ports/incidents.js';
import { Logger } from '../../../src/application/ports/logger.js';
import { Metrics } from '../../../src/application/ports/metrics.js';
import { Random } from '../../../src/application/ports/random.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { RecordedIncidents, RecordedLog, RecordedMetrics, source } from '../../support/recorders.js';
import { StagedNodes } from './utho-harness.js';

describe('Utho adapter in the container', () => {
  // utho 8/45
  it('is put together from its tokens', async () => {
    const file = source({}, { config: JSON.stringify({ token: 'key', cluster_id: 701234 }) });
    const dispatcher = createUthoDispatcher(null);
    const container = new Container({ defaultScope: 'Singleton' });
    container.bind(UthoConfiguration).toConstantValue(readUthoConfiguration(file, 'config'));
    container.bind(UthoDispatcher).toConstantValue(dispatcher);
    container.bind(Clock).toConstantValue(new VirtualClock());
    container.bind(Random).toConstantValue(new SeededRandom(1));
    container.bind(ClusterReader).toConstantValue(new StagedNodes());
    container.bind(Logger).toConstantValue(new RecordedLog());
    container.bind(Metrics).toConstantValue(new RecordedMetrics());
    container.bind(Incidents).toConstantValue(new RecordedIncidents());
    container.bind(UthoTelemetry).toSelf();
    container.bind(UthoApi).toSelf();
    container.bind(CloudProvider).to(UthoProvider);
    const provider = container.get<CloudProvider>(CloudProvider);
    expect(provider.name).toBe('utho');
    expect(provider.nodeGroups()).toEqual([]);
    await dispatcher.close();
  });
});
