import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessConfigurationSource } from '../../../src/adapters/config/process-configuration-source.js';
import { ConfigurationError } from '../../../src/application/ports/configuration.js';

describe('configuration from the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-config-'));
  const source = new ProcessConfigurationSource({ HCLOUD_IMAGE: 'debian-13', HCLOUD_NETWORK: '' });

  afterAll(() => rmSync(folder, { recursive: true }));

  function problemOf(path: string): string {
    try {
      source.file(path);
      return 'readable';
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.message;
    }
  }

  it('tells an empty variable from one that is not set', () => {
    expect(source.variable('HCLOUD_IMAGE')).toBe('debian-13');
    expect(source.variable('HCLOUD_NETWORK')).toBe('');
    expect(source.variable('HCLOUD_TOKEN')).toBeUndefined();
  });

  it('reads files', () => {
    const path = join(folder, 'cloud-config');
    writeFileSync(path, '{"token":"ä"}');
    expect(source.file(path)).toBe('{"token":"ä"}');
  });

  it('names path and remedy of a file that is missing', () => {
    const path = join(folder, 'missing');
    expect(problemOf(path)).toBe(
      `file is "${path}": there is no such file; check the path, and that its volume is mounted`,
    );
  });

  it('says that a directory is no file', () => {
    expect(problemOf(folder)).toContain('it is a directory');
  });

  it('refuses a file larger than any ConfigMap', () => {
    const path = join(folder, 'huge');
    writeFileSync(path, '');
    truncateSync(path, 1024 * 1024 + 1);
    expect(problemOf(path)).toContain('keep it below 1048576 bytes');
  });
});
