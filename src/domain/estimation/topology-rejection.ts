import type { Rejection } from '../simulation/verdict.js';

const KINDS = {
  spread: ['PodTopologySpread', "node(s) didn't match pod topology spread constraints"],
  affinity: ['InterPodAffinity', "node(s) didn't match pod affinity rules"],
  'anti-affinity': ['InterPodAffinity', "node(s) didn't match pod anti-affinity rules"],
  repelled: ['InterPodAffinity', "node(s) didn't satisfy existing pods anti-affinity rules"],
} as const;

/** What the filter would say of a new node, had the pods before been placed one by one. */
export function topologyRejection(kind: keyof typeof KINDS, topologyKey: string): Rejection {
  const [plugin, text] = KINDS[kind];
  return { fit: false, plugin, reasons: [{ rule: plugin, text, subject: topologyKey }] };
}
