import type { JsonSchema, SchemaDefinitions } from './shape.js';
import { storyShape } from './story-shape.js';

/** The JSON schema of a story, made from the shape that reads it, so that editors and the program agree. */
export function scenarioSchema(): JsonSchema {
  const definitions: SchemaDefinitions = new Map();
  const schema = storyShape.schema(definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Evenkeel scenario',
    description: 'A story that `evenkeel simulate` plays in virtual time. See docs/scenarios.md.',
    ...schema,
    $defs: Object.fromEntries([...definitions].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** As it stands in docs/scenario.schema.json. */
export function scenarioSchemaText(): string {
  return `${JSON.stringify(scenarioSchema(), null, 2)}\n`;
}
