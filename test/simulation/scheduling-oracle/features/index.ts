import type { Feature } from './draft.js';
import { missingFields } from './missing-fields.js';
import {
  cordons,
  declaredFeatures,
  nodeAffinity,
  nodeNames,
  resourceClaims,
  taints,
  terminatingPods,
} from './node-only.js';
import { hostPorts, hugeAmounts, resizes, resources } from './resources.js';
import { podAffinity, podAntiAffinity, spread } from './topology.js';
import { capacities, claims, ephemeralClaims, inlineDisks, volumeLimits, volumeZones } from './volumes.js';

/** All that scenarios are made of; how likely each is to be switched on. Later ones may build on earlier ones. */
export const FEATURES: readonly (readonly [Feature, number])[] = [
  [cordons, 0.15],
  [taints, 0.2],
  [nodeNames, 0.15],
  [nodeAffinity, 0.3],
  [resources, 0.35],
  [resizes, 0.2],
  [hugeAmounts, 0.15],
  [hostPorts, 0.2],
  [inlineDisks, 0.2],
  [claims, 0.35],
  [ephemeralClaims, 0.15],
  [capacities, 0.5],
  [volumeLimits, 0.35],
  [volumeZones, 0.5],
  [spread, 0.4],
  [podAffinity, 0.3],
  [podAntiAffinity, 0.3],
  [declaredFeatures, 0.2],
  [resourceClaims, 0.08],
  [terminatingPods, 0.3],
  [missingFields, 0.25],
];
