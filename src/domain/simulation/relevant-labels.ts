import type { Pod, PodAffinityTerm, PodShape } from '../kubernetes/pod.js';
import type { LabelSelector } from '../kubernetes/selectors.js';

/**
 * Keys of pod labels that some rule between pods reads (`scheduling` 5.3): rules of pods that wait, and terms against
 * others of pods that are there. Sorted; null where there is no such rule.
 */
export function relevantLabelKeys(waiting: Iterable<Pod>, existing: Iterable<Pod>): readonly string[] | null {
  const selectors = new Set<LabelSelector | null>();
  for (const { topologySpread, podAffinity, podAntiAffinity } of shapesOf(waiting)) {
    for (const { selector } of [...topologySpread, ...podAffinity, ...podAntiAffinity])
      selectors.add(selector);
  }
  for (const { podAntiAffinity } of shapesOf(existing)) addAll(podAntiAffinity, selectors);
  if (selectors.size === 0) return null;
  const keys = new Set<string>();
  for (const selector of selectors) for (const key of keysOf(selector)) keys.add(key);
  return [...keys].sort();
}

function addAll(terms: readonly PodAffinityTerm[], selectors: Set<LabelSelector | null>): void {
  for (const { selector } of terms) selectors.add(selector);
}

/** Each shape once: there are far fewer than pods. */
function shapesOf(pods: Iterable<Pod>): ReadonlySet<PodShape> {
  const shapes = new Set<PodShape>();
  for (const { shape } of pods) shapes.add(shape);
  return shapes;
}

function keysOf(selector: LabelSelector | null): string[] {
  if (selector === null) return [];
  return [...selector.matchLabels.keys(), ...selector.matchExpressions.map(({ key }) => key)];
}
