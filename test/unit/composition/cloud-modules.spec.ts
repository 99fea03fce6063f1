import { Agent, ProxyAgent } from 'undici';
import { Container } from 'inversify';
import type { Dispatcher } from 'undici';
import { HetznerDispatcher } from '../../../src/adapters/hetzner/index.js';
import { SecretRegistry } from '../../../src/adapters/logging/index.js';
import { UthoDispatcher } from '../../../src/adapters/utho/index.js';
import { ConfigurationError } from '../../../src/application/ports/configuration.js';
import type { AutoscalerOptions } from '../../../src/infrastructure/command-line/index.js';
import { PROVIDERS, cloudModule } from '../../../src/infrastructure/composition/cloud-modules.js';
import type { Outside } from '../../../src/infrastructure/composition/outside.js';
import { source } from '../../support/recorders.js';

const TOKEN = 'a-token-of-a-cloud';
const PATH = '/config/cloud-config';

/** A container with the module of a provider, for the given pools (Hetzner only) and environment. */
function composed(cloudProvider: string, environment: Record<string, string> = {}, poolCount = 1) {
  const names = Array.from({ length: poolCount }, (_, index) => `pool${index}`);
  const nodeConfigs = Object.fromEntries(
    names.map((name) => [name, { cloudInit: `#cloud-config\nhostname: ${name}\n` }]),
  );
  const config = JSON.stringify({ imagesForArch: { amd64: 'ubuntu-24.04' }, nodeConfigs });
  const variables = {
    HCLOUD_TOKEN: TOKEN,
    HCLOUD_CLUSTER_CONFIG: Buffer.from(config).toString('base64'),
    ...environment,
  };
  const options = {
    cloudProvider,
    cloudConfig: PATH,
    nodes: names.map((name) => `0:1:cx22:fsn1:${name}`),
  } as unknown as AutoscalerOptions;
  const secrets = new SecretRegistry();
  const container = new Container();
  const files = { [PATH]: JSON.stringify({ token: TOKEN, cluster_id: '701234' }) };
  const outside = { environment: variables } as unknown as Outside;
  container.load(cloudModule({ options, source: source(variables, files), secrets, outside }, PROVIDERS));
  return { container, secrets };
}

describe('the module of a cloud', () => {
  it.each(['hetzner', 'utho'])('makes the token of %s a secret', (provider) => {
    expect(composed(provider).secrets.redact(`x ${TOKEN} y`)).toBe('x (secret) y');
  });

  it('keeps the token a secret beside the boot scripts of many pools', () => {
    expect(composed('hetzner', {}, 120).secrets.redact(TOKEN)).toBe('(secret)');
  });

  it.each([
    ['hetzner', HetznerDispatcher],
    ['utho', UthoDispatcher],
  ])('goes to %s by the proxy of the environment that it is given', (provider, key) => {
    const dispatcherWith = (environment: Record<string, string>) =>
      composed(provider, environment).container.get<Dispatcher>(key);
    expect(dispatcherWith({})).toBeInstanceOf(Agent);
    // As the Go program takes it: the scheme may be missing.
    expect(dispatcherWith({ HTTPS_PROXY: 'proxy.example:3128' })).toBeInstanceOf(ProxyAgent);
    expect(dispatcherWith({ HTTP_PROXY: 'http://proxy.example:3128' })).toBeInstanceOf(Agent);
    expect(
      dispatcherWith({ HTTPS_PROXY: 'proxy.example:3128', NO_PROXY: '.hetzner.cloud,api.utho.com' }),
    ).toBeInstanceOf(Agent);
    const local = { HTTP_PROXY: 'proxy.example:3128', HCLOUD_ENDPOINT: 'http://127.0.0.1:1/v1' };
    expect(dispatcherWith(local)).toBeInstanceOf(Agent);
  });

  it('refuses a proxy that is none, without showing its password', () => {
    const work = () => composed('utho', { HTTPS_PROXY: 'ftp://user:word@proxy.example' });
    expect(work).toThrow(ConfigurationError);
    expect(work).toThrow(expect.objectContaining({ message: expect.not.stringContaining('word@') }));
  });

  it.each(['gce', '', 'constructor', 'toString'])('does not exist for %j', (provider) => {
    expect(() => composed(provider)).toThrow(/--cloud-provider/);
  });
});
