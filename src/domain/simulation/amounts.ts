import { CPU, EPHEMERAL_STORAGE, MEMORY, PODS } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { NameIndex } from './name-index.js';

/** Non-zero amounts by resource number; always with one slot, in the order in which reasons are told. */
export interface Amounts {
  readonly resources: readonly number[];
  readonly amounts: readonly number[];
}

const TOLD_FIRST = [PODS, CPU, MEMORY, EPHEMERAL_STORAGE];

/** What one pod takes: its amounts above zero and a slot (`scheduling` 3.6). */
export function amountsOf(requests: Resources, index: NameIndex): Amounts {
  const resources = [index.of(PODS)];
  const amounts = [1];
  for (const name of toldOrder(requests)) {
    const amount = requests.get(name) ?? 0;
    if (amount <= 0) continue;
    resources.push(index.of(name));
    amounts.push(amount);
  }
  return { resources, amounts };
}

/** cpu, memory, ephemeral-storage, then scalars in byte order (`scheduling` 0.3). A pod names no slots itself. */
function toldOrder(requests: Resources): string[] {
  const names = [...requests.keys()].filter((name) => name !== PODS);
  if (names.length < 2) return names;
  return names.sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}

function rank(name: string): number {
  const position = TOLD_FIRST.indexOf(name);
  return position < 0 ? TOLD_FIRST.length : position;
}
