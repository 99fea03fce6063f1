import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { optionKey } from '../../../src/infrastructure/command-line/flag-definition.js';
import { FLAGS } from '../../../src/infrastructure/command-line/flag-table.js';

const ROOT = join(__dirname, '../../../src/infrastructure');

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sourcesBelow(path) : [path];
  });
}

/** All code that turns options into something, without the table that declares them. */
const code = sourcesBelow(ROOT)
  .filter((path) => !path.includes('/command-line/flags/'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const obeyed = [...FLAGS].filter(([, { effect }]) => effect.kind === 'used');

describe('a flag that the table calls obeyed', () => {
  it.each(obeyed)('is read by somebody: --%s', (name, definition) => {
    expect(code).toMatch(new RegExp(`\\b${optionKey(name, definition)}\\b`, 'u'));
  });
});
