import { isSidecar } from './pod-json.js';
import type { ContainerJson, PodSpecJson } from './pod-json.js';
import { addInto, raiseTo } from './quantity-sums.js';
import type { QuantitySums } from './quantity-sums.js';

export type AmountsOf = (container: ContainerJson, kind: 'main' | 'sidecar' | 'plain-init') => QuantitySums;

/** Steps 1 to 3 of `scheduling` 1.1: main containers plus sidecars, or what the init phase needs, if that is more. */
export function aggregateContainers(spec: PodSpecJson, amountsOf: AmountsOf): QuantitySums {
  const running: QuantitySums = new Map();
  for (const container of spec.containers ?? []) addInto(running, amountsOf(container, 'main'));
  const sidecars: QuantitySums = new Map();
  const starting: QuantitySums = new Map();
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) {
      const own = amountsOf(container, 'sidecar');
      addInto(running, own);
      addInto(sidecars, own);
      raiseTo(starting, sidecars);
    } else {
      const own = new Map(amountsOf(container, 'plain-init'));
      addInto(own, sidecars);
      raiseTo(starting, own);
    }
  }
  raiseTo(running, starting);
  return running;
}
