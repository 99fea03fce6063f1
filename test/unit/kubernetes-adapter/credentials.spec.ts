import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import type { User } from '@kubernetes/client-node';
import { KubeConfigCredentials } from '../../../src/adapters/kubernetes/connection/credentials.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

describe('KubeConfigCredentials', () => {
  let folder = '';
  let clock: VirtualClock;
  let loads = 0;

  function credentialsOf(user: Omit<User, 'name'>): KubeConfigCredentials {
    return new KubeConfigCredentials(() => {
      loads++;
      const config = new KubeConfig();
      const cluster = { name: 'c', server: 'https://api', skipTLSVerify: false, caData: 'Q0E=' };
      config.loadFromClusterAndUser(cluster, { name: 'u', ...user });
      return config;
    }, clock);
  }

  async function tokenOf(credentials: KubeConfigCredentials): Promise<string | undefined> {
    return (await credentials.current()).headers['Authorization'];
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'));
    clock = new VirtualClock(0);
    loads = 0;
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function tokenFile(token: string): Omit<User, 'name'> {
    const path = join(folder, 'token');
    writeFileSync(path, `${token}\n`);
    return { authProvider: { name: 'tokenFile', config: { tokenFile: path } } };
  }

  test('a token file is read again after a minute', async () => {
    // U038
    const credentials = credentialsOf(tokenFile('T1'));
    expect(await tokenOf(credentials)).toBe('Bearer T1');
    tokenFile('T2');
    await clock.advance(59_000);
    expect(await tokenOf(credentials)).toBe('Bearer T1');
    await clock.advance(1_000);
    expect(await tokenOf(credentials)).toBe('Bearer T2');
    expect(loads).toBe(2);
  });

  test('after a refusal it is read at once, by all who were refused together only once', async () => {
    // U038
    const credentials = credentialsOf(tokenFile('T1'));
    await credentials.current();
    tokenFile('T2');
    await clock.advance(5_000);
    const renewed = await Promise.all([credentials.renew(), credentials.renew(), credentials.renew()]);
    expect(renewed.map(({ headers }) => headers['Authorization'])).toEqual(Array(3).fill('Bearer T2'));
    expect(loads).toBe(2);
  });

  test('a file that is away for a moment leaves the known token in use', async () => {
    const credentials = credentialsOf(tokenFile('T1'));
    await credentials.current();
    rmSync(join(folder, 'token'));
    await clock.advance(120_000);
    expect(await tokenOf(credentials)).toBe('Bearer T1');
  });

  test('an exec plug-in runs again only when its token was refused', async () => {
    const script = join(folder, 'plugin.js');
    writeFileSync(
      script,
      `const fs = require('fs'), f = ${JSON.stringify(join(folder, 'runs'))};
       fs.appendFileSync(f, 'x'); const token = 'run-' + fs.readFileSync(f).length;
       console.log(JSON.stringify({ status: { token } }));`,
    );
    const credentials = credentialsOf({ exec: { command: process.execPath, args: [script] } });
    expect(await tokenOf(credentials)).toBe('Bearer run-1');
    await clock.advance(600_000);
    expect(await tokenOf(credentials)).toBe('Bearer run-1');
    await clock.advance(5_000);
    expect((await credentials.renew()).headers['Authorization']).toBe('Bearer run-2');
  });

  test('gives certificates, basic authentication and impersonation', async () => {
    const user = {
      certData: 'Y2VydA==',
      keyData: 'a2V5',
      username: 'u',
      password: 'p',
      impersonateUser: 'other',
    };
    const { headers, tls } = await credentialsOf(user).current();
    expect(headers).toEqual({ Authorization: `Basic ${btoa('u:p')}`, 'Impersonate-User': 'other' });
    expect(tls).toEqual({ ca: Buffer.from('CA'), cert: Buffer.from('cert'), key: Buffer.from('key') });
  });
});
