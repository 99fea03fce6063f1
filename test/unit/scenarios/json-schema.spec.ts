import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { scenarioSchema, scenarioSchemaText } from '../../../src/sandbox/scenarios/index.js';

const ROOT = join(__dirname, '..', '..', '..');
const SCENARIOS = join(ROOT, 'test', 'scenarios');

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Checks with the few words of JSON schema that ours uses; gives the paths that do not fit. */
class SchemaCheck {
  constructor(private readonly root: Schema) {}

  faults(value: unknown, schema: Schema = this.root, path = ''): readonly string[] {
    if (schema.$ref !== undefined) return this.faults(value, this.definition(schema.$ref), path);
    if (schema.anyOf !== undefined) {
      return schema.anyOf.some((one) => this.faults(value, one, path).length === 0) ? [] : [path];
    }
    if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [path];
    switch (schema.type) {
      case undefined:
        return [];
      case 'array':
        return Array.isArray(value)
          ? value.flatMap((item, index) => this.faults(item, schema.items, `${path}[${index}]`))
          : [path];
      case 'object':
        return this.faultsOfObject(value, schema, path);
      case 'string':
        return typeof value === 'string' && new RegExp(schema.pattern ?? '', 'u').test(value) ? [] : [path];
      case 'boolean':
        return typeof value === 'boolean' ? [] : [path];
      default:
        return typeof value === 'number' && value >= schema.minimum! ? [] : [path];
    }
  }

  private faultsOfObject(value: unknown, schema: Schema, path: string): readonly string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
    const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
    const members = Object.entries(value).flatMap(([key, member]) => {
      const known = schema.properties?.[key];
      if (known !== undefined) return this.faults(member, known, `${path}.${key}`);
      const others = schema.additionalProperties;
      return typeof others === 'object' ? this.faults(member, others, `${path}.${key}`) : [`${path}.${key}`];
    });
    return [...missing.map((key) => `${path}.${key}`), ...members];
  }

  private definition(reference: string): Schema {
    return this.root.$defs![reference.replace('#/$defs/', '')]!;
  }
}

describe('the JSON schema of scenarios', () => {
  const check = new SchemaCheck(scenarioSchema());

  it('is shipped as the code says it: evenkeel simulate --schema > docs/scenario.schema.json', () => {
    const shipped: unknown = JSON.parse(readFileSync(join(ROOT, 'docs', 'scenario.schema.json'), 'utf8'));
    expect(shipped).toEqual(JSON.parse(scenarioSchemaText()));
  });

  it.each(readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')))('takes %s', (file) => {
    const text = readFileSync(join(SCENARIOS, file), 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../docs/scenario.schema.json');
    for (const document of parseAllDocuments(text)) expect(check.faults(document.toJSON())).toEqual([]);
  });

  it.each([
    ['an unknown key', { weather: 'bad' }, '.weather'],
    ['a wrong type', { name: 7 }, '.name'],
    ['a duration that is none', { until: 'soon' }, '.until'],
    ['a decision that is none', { expect: { decisions: ['GROW a'] } }, '.expect.decisions[0]'],
  ])('refuses %s', (_, change, place) => {
    const good = { name: 's', world: { groups: [] }, expect: {} };
    expect(check.faults(good)).toEqual([]);
    expect(check.faults({ ...good, ...change })).toEqual([place]);
  });
});
