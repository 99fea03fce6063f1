import { renderDuration } from '../../../sandbox/scenarios/index.js';
import type { DecisionPattern, Expectations } from '../../../sandbox/scenarios/index.js';
import type { Decision } from '../chronicle.js';
import { isWithin, matchesName } from './verdict.js';
import type { Evidence, Verdict } from './verdict.js';

/** One decision that is waited for. */
interface Wanted {
  readonly pattern: DecisionPattern;
  readonly fits: (decision: Decision) => boolean;
}

export function judgeDecisions(
  { decisions, among = [], never = [] }: Expectations,
  { span, chronicle }: Evidence,
): readonly Verdict[] {
  const made = chronicle.decisions.filter(({ atMs }) => isWithin(atMs, span));
  return [
    ...(decisions === undefined ? [] : judgeAll(decisions, made)),
    ...judgeSome(among, made),
    ...never.map((pattern) => judgeNever(pattern, made)),
  ];
}

/** Each pattern has its decision, and no decision is left. */
function judgeAll(patterns: readonly DecisionPattern[], made: readonly Decision[]): readonly Verdict[] {
  const { missing, left } = match(patterns.flatMap(unitsOf), made);
  const others = left.map(renderDecision).join(', ');
  const verdicts = patterns
    .filter(({ kind }) => kind !== 'none')
    .map((pattern) => verdictOf(pattern, missing, others));
  return [
    ...verdicts,
    {
      text: patterns.some(({ kind }) => kind === 'none') ? 'NONE' : 'nothing else',
      holds: left.length === 0,
      found: others,
    },
  ];
}

function judgeSome(patterns: readonly DecisionPattern[], made: readonly Decision[]): readonly Verdict[] {
  const { missing, left } = match(patterns.flatMap(unitsOf), made);
  return patterns.map((pattern) => verdictOf(pattern, missing, left.map(renderDecision).join(', ')));
}

function judgeNever(pattern: DecisionPattern, made: readonly Decision[]): Verdict {
  const found = made.filter((decision) => unitsOf(pattern).some(({ fits }) => fits(decision)));
  return {
    text: `never ${pattern.text}`,
    holds: found.length === 0,
    found: found.map(renderDecision).join(', '),
  };
}

function verdictOf(pattern: DecisionPattern, missing: readonly Wanted[], others: string): Verdict {
  const count = missing.filter((unit) => unit.pattern === pattern).length;
  const found = count === 0 ? '' : others === '' ? 'no other decision' : `other decisions: ${others}`;
  return { text: pattern.text, holds: count === 0, found };
}

function unitsOf(pattern: DecisionPattern): readonly Wanted[] {
  const inTime = (decision: Decision): boolean => isWithin(decision.atMs, pattern.window);
  switch (pattern.kind) {
    case 'none':
      return [];
    case 'add': {
      const { group, count, refused } = pattern;
      const fits = (decision: Decision): boolean =>
        decision.kind === 'add' &&
        inTime(decision) &&
        decision.group === group &&
        (count === null || decision.count === count) &&
        (decision.refusal !== null) === refused;
      return [{ pattern, fits }];
    }
    case 'remove':
      return pattern.nodes.map((node) => ({
        pattern,
        fits: (decision) =>
          decision.kind === 'remove' && inTime(decision) && matchesName(node, decision.node),
      }));
    case 'remove-some':
      return Array.from({ length: pattern.count }, () => ({
        pattern,
        fits: (decision: Decision) =>
          decision.kind === 'remove' && inTime(decision) && decision.group === pattern.group,
      }));
  }
}

/** The largest assignment of decisions to what is wanted, by augmenting paths. */
function match(
  wanted: readonly Wanted[],
  made: readonly Decision[],
): { readonly missing: readonly Wanted[]; readonly left: readonly Decision[] } {
  const ownerOf = new Map<number, number>();
  const missing: Wanted[] = [];
  const assign = (unit: number, tried: Set<number>): boolean => {
    for (const [index, decision] of made.entries()) {
      if (tried.has(index) || !wanted[unit]!.fits(decision)) continue;
      tried.add(index);
      const owner = ownerOf.get(index);
      if (owner !== undefined && !assign(owner, tried)) continue;
      ownerOf.set(index, unit);
      return true;
    }
    return false;
  };
  for (const [index, unit] of wanted.entries()) if (!assign(index, new Set())) missing.push(unit);
  return { missing, left: made.filter((_, index) => !ownerOf.has(index)) };
}

export function renderDecision(decision: Decision): string {
  const when = `at ${renderDuration(decision.atMs)}`;
  if (decision.kind === 'remove') return `REMOVE ${decision.node} ${when}`;
  const refused = decision.refusal === null ? '' : ` refused (${decision.refusal})`;
  return `ADD ${decision.group}+${decision.count}${refused} ${when}`;
}
