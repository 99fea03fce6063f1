import { Container } from 'inversify';
import {
  createHetznerDispatcher,
  HetznerClient,
  HetznerConfiguration,
  HetznerDispatcher,
  HetznerProvider,
  HetznerTelemetry,
  readHetznerConfiguration,
} from '../../../src/adapters/hetzner/index.js';
import { Clock } from '../../../src/application/ports/clock.js';
import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { Incidents } from '../../../src/application/ports/incidents.js';
import { Logger } from '../../../src/application/ports/logger.js';
import { Metrics } from '../../../src/application/ports/metrics.js';
import { Random } from '../../../src/application/ports/random.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { environment, RecordedIncidents, RecordedLog, RecordedMetrics, source } from './hetzner-harness.js';

describe('Hetzner adapter in the container', () => {
  it('is put together from its tokens', async () => {
    const configuration = readHetznerConfiguration(source(environment({ pool1: {} })), [
      '0:2:cx33:fsn1:pool1',
    ]);
    const dispatcher = createHetznerDispatcher(null);
    const container = new Container({ defaultScope: 'Singleton' });
    container.bind(HetznerConfiguration).toConstantValue(configuration);
    container.bind(HetznerDispatcher).toConstantValue(dispatcher);
    container.bind(Clock).toConstantValue(new VirtualClock());
    container.bind(Random).toConstantValue(new SeededRandom(1));
    container.bind(Logger).toConstantValue(new RecordedLog());
    container.bind(Metrics).toConstantValue(new RecordedMetrics());
    container.bind(Incidents).toConstantValue(new RecordedIncidents());
    container.bind(HetznerTelemetry).toSelf();
    container.bind(HetznerClient).toSelf();
    container.bind(CloudProvider).to(HetznerProvider);
    const provider = container.get<CloudProvider>(CloudProvider);
    expect(provider.name).toBe('hetzner');
    expect(provider.nodeGroups().map((group) => group.id)).toEqual(['pool1']);
    await dispatcher.close();
  });
});
