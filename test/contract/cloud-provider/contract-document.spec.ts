import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TINYCLOUD_CAPABILITIES } from '../../example-provider/tinycloud-capabilities.js';
import { contractDocument } from './contract-document.js';
import { HETZNER_CAPABILITIES } from './hetzner-capabilities.js';
import { UTHO_CAPABILITIES } from './utho-capabilities.js';

const PATH = join(__dirname, '..', '..', '..', 'docs', 'contract.md');

it('docs/contract.md says what the rules say; UPDATE_DOCS=1 writes it', () => {
  const text = contractDocument([
    ['Hetzner Cloud', HETZNER_CAPABILITIES],
    ['Utho', UTHO_CAPABILITIES],
    ['Tinycloud, the example', TINYCLOUD_CAPABILITIES],
  ]);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PATH, text);
  expect(readFileSync(PATH, 'utf8')).toBe(text);
});
