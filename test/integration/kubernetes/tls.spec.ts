import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKubernetes } from '../../../src/adapters/kubernetes/index.js';
import { SystemClock } from '../../../src/adapters/system/system-clock.js';
import { TLS_CERTIFICATE, TLS_KEY } from './tls-identity.js';

const NODE = JSON.stringify({ metadata: { name: 'node-1', uid: 'u' } });

describe('a real TLS connection', () => {
  let server: Server;
  let folder = '';
  let handshakes = 0;
  const seen: { authorization: string | undefined; client: boolean; servername: unknown }[] = [];

  beforeEach(async () => {
    handshakes = 0;
    seen.length = 0;
    folder = mkdtempSync(join(tmpdir(), 'tls-'));
    const identity = { key: TLS_KEY, cert: TLS_CERTIFICATE, ca: TLS_CERTIFICATE };
    server = createServer(
      { ...identity, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const socket: any = request.socket;
        const { authorization } = request.headers;
        seen.push({ authorization, client: socket.authorized, servername: socket.servername });
        response.setHeader('content-type', 'application/json').end(NODE);
      },
    );
    server.on('secureConnection', () => handshakes++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  function connect(cluster: Record<string, unknown>, user: Record<string, unknown> = { token: 'T1' }) {
    const address = server.address() as AddressInfo;
    const path = join(folder, 'config');
    const config = {
      'current-context': 'x',
      clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${address.port}`, ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    };
    writeFileSync(path, JSON.stringify(config));
    return connectKubernetes({ address: { kind: 'kubeconfig', path }, clock: new SystemClock(), qps: 0 });
  }

  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const trusted = {
    'certificate-authority-data': base64(TLS_CERTIFICATE),
    'tls-server-name': 'kubernetes.test',
  };

  test('trusts the authority of the kubeconfig, under the server name given there', async () => {
    const connection = await connect(trusted);
    const node = await connection.core.readNode({ name: 'node-1' });
    expect(node.metadata?.name).toBe('node-1');
    expect(seen).toEqual([{ authorization: 'Bearer T1', client: false, servername: 'kubernetes.test' }]);
    await connection.close();
  });

  test('shows its client certificate', async () => {
    const user = {
      'client-certificate-data': base64(TLS_CERTIFICATE),
      'client-key-data': base64(TLS_KEY),
    };
    const connection = await connect(trusted, user);
    await connection.core.readNode({ name: 'node-1' });
    expect(seen).toMatchObject([{ client: true }]);
    await connection.close();
  });

  test('refuses a server that the authority did not sign, unless told not to look', async () => {
    const strict = await connect({ 'tls-server-name': 'kubernetes.test' });
    await expect(strict.core.readNode({ name: 'node-1' })).rejects.toThrow(/can't be reached/);
    await strict.close();
    const lax = await connect({ 'insecure-skip-tls-verify': true });
    await lax.core.readNode({ name: 'node-1' });
    await lax.close();
    expect(seen).toHaveLength(1);
  });

  test('calls of all kinds share a few connections', async () => {
    const connection = await connect(trusted);
    for (let round = 0; round < 50; round++) {
      await connection.core.readNode({ name: 'node-1' });
      await connection.events.readNode({ name: 'node-1' });
      await connection.writes.send({ method: 'GET', path: '/api/v1/nodes/node-1' });
    }
    expect(seen).toHaveLength(150);
    expect(handshakes).toBeLessThanOrEqual(2);
    await connection.close();
  });
});
