import { REGION_LABEL, ZONE_LABEL } from '../../kubernetes/labels.js';
import type { Labels } from '../../kubernetes/labels.js';
import type { ClaimVolume } from './claim-volume.js';

/** Values of a zone or region label that reach a volume. */
export interface VolumeZone {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** Beta keys and what they are called now. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', ZONE_LABEL],
  ['failure-domain.beta.kubernetes.io/region', REGION_LABEL],
]);
export const ZONE_KEYS: readonly string[] = [...SUCCESSORS.keys(), ZONE_LABEL, REGION_LABEL];
const SEPARATOR = '__';

/** What the labels of the volumes say (`scheduling` 3.9); a label with an empty part says nothing. */
export function volumeZones(claims: readonly ClaimVolume[]): readonly VolumeZone[] {
  return claims.flatMap(({ isEphemeral, volume }) =>
    isEphemeral || volume === null ? [] : zonesOf(volume.labels),
  );
}

function zonesOf(labels: Labels): VolumeZone[] {
  return ZONE_KEYS.flatMap((key) => {
    const values = labels
      .get(key)
      ?.split(SEPARATOR)
      .map((part) => part.trim()) ?? [''];
    return values.includes('') ? [] : [{ key, values: new Set(values) }];
  });
}

/** A node without any such label reaches all volumes. A beta key is also looked up under its successor. */
export function zonesReach(zones: readonly VolumeZone[], labels: Labels): boolean {
  if (!ZONE_KEYS.some((key) => labels.has(key))) return true;
  return zones.every(({ key, values }) => {
    const value = labels.get(key) ?? labels.get(SUCCESSORS.get(key) ?? key);
    return value !== undefined && values.has(value);
  });
}
