import type {
  LabelSelectorObject,
  NodeSelectorObject,
  NodeSelectorTermObject,
  RequirementObject,
} from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';
import { NODE_KEYS, NODE_NAMES, valueOf } from './draft.js';

/** A requirement on node labels; one in twelve is malformed. */
export function nodeRequirement(random: Random): RequirementObject {
  const key = random.pick(NODE_KEYS);
  const operator = random.pick(['In', 'In', 'In', 'NotIn', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']);
  if (random.chance(1 / 12)) return malformedRequirement(key, random);
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  if (operator === 'Gt' || operator === 'Lt') {
    return { key: random.pick([key, 'cores']), operator, values: [random.pick(['3', '5', '8', '08', '+5'])] };
  }
  return { key, operator, values: random.times(random.between(1, 3), () => valueOf(key, random)) };
}

function malformedRequirement(key: string, random: Random): RequirementObject {
  return random.pick<RequirementObject>([
    { key, operator: 'Odd', values: ['a'] },
    { key, operator: 'In', values: [] },
    { key, operator: 'NotIn' },
    { key, operator: 'NotIn', values: ['a b'] },
    { key, operator: 'NotIn', values: ['-a'] },
    { key, operator: 'NotIn', values: ['a'.repeat(64)] },
    { key, operator: 'Exists', values: ['a'] },
    { key, operator: 'DoesNotExist', values: [''] },
    { key: 'cores', operator: 'Gt', values: ['five'] },
    { key: 'cores', operator: 'Lt', values: ['3', '5'] },
    { key: 'cores', operator: 'Gt', values: ['-5'] },
    { key: 'no such key!', operator: 'DoesNotExist' },
    { key: '', operator: 'NotIn', values: ['a'] },
    { operator: 'NotIn', values: ['a'] },
    { key },
    { key, operator: 'in', values: ['a'] },
  ]);
}

/** A requirement on `metadata.name`, odd at times. */
function fieldRequirement(random: Random): RequirementObject {
  const names = random.times(random.chance(0.85) ? 1 : random.below(3), () =>
    random.pick(NODE_NAMES.slice(0, 4)),
  );
  const operator = random.chance(0.95) ? random.pick(['In', 'In', 'NotIn']) : 'Exists';
  return { key: random.chance(0.95) ? 'metadata.name' : 'metadata.uid', operator, values: names };
}

function nodeTerm(random: Random): NodeSelectorTermObject {
  const kind = random.below(8);
  if (kind === 0) return {};
  if (kind < 3) return { matchFields: random.times(random.between(1, 3), () => fieldRequirement(random)) };
  const matchExpressions = random.times(random.between(1, 2), () => nodeRequirement(random));
  if (kind === 3) return { matchExpressions, matchFields: [fieldRequirement(random)] };
  return { matchExpressions };
}

export function nodeSelector(random: Random): NodeSelectorObject {
  return {
    nodeSelectorTerms: random.times(random.pick([0, 1, 1, 1, 1, 1, 2, 2, 3]), () => nodeTerm(random)),
  };
}

/** A selector of pods: mostly by `app`, at times null, empty or malformed. */
export function podSelector(random: Random): LabelSelectorObject | null {
  const kind = random.below(20);
  if (kind === 0) return null;
  if (kind === 1) return {};
  if (kind === 2) return { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['x'] }] };
  if (kind === 3) return { matchExpressions: [{ key: 'rev', operator: 'Exists' }] };
  if (kind === 4)
    return { matchLabels: { app: 'w' }, matchExpressions: [{ key: 'rev', operator: 'DoesNotExist' }] };
  if (kind === 5) return { matchExpressions: [{ key: 'app', operator: 'In', values: ['x', 'w'] }] };
  if (kind === 6) return { matchLabels: { app: 'w', rev: '1' } };
  if (kind === 7 && random.chance(0.5)) return malformedSelector(random);
  return { matchLabels: { app: random.pick(['w', 'w', 'x']) } };
}

function malformedSelector(random: Random): LabelSelectorObject {
  return random.pick<LabelSelectorObject>([
    { matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] },
    { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [] }] },
    { matchExpressions: [{ key: 'app', operator: 'DoesNotExist', values: ['x'] }] },
    { matchLabels: { app: 'a b' } },
    { matchLabels: { 'no such key!': '' } },
  ]);
}

/** A selector of namespaces by label `team`. */
export function namespaceSelector(random: Random): LabelSelectorObject {
  return random.pick<LabelSelectorObject>([
    {},
    { matchLabels: { team: 'red' } },
    { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] },
    { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
    { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
    ...(random.chance(0.1) ? [{ matchExpressions: [{ key: 'team', operator: 'Odd' }] }] : []),
  ]);
}
