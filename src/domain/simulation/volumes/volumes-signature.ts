import type { LegacyDisk } from '../../kubernetes/pod.js';
import type { NodeSelector } from '../../kubernetes/selectors.js';
import { selectorText } from '../../kubernetes/selector-text.js';
import { isBound } from './claim-volume.js';
import type { ClaimVolume } from './claim-volume.js';
import type { VolumeNeeds } from './volume-needs.js';
import { ZONE_KEYS } from './volume-zones.js';
import type { CountedVolume, StorageIndex } from './storage-index.js';

/** What a signature is made of. */
export interface SignedVolumes {
  readonly needs: VolumeNeeds;
  readonly claims: readonly ClaimVolume[];
  readonly disks: readonly LegacyDisk[];
  readonly counted: ReadonlySet<CountedVolume>;
  readonly index: StorageIndex;
}

/**
 * Text of all that filters read of a pod's volumes, whoever else uses them (`scheduling` 5.3 item 9). A pod that fits
 * nowhere is told from others by the reason alone.
 */
export function volumesSignature({ needs, claims, disks, counted, index }: SignedVolumes): string {
  const { problem } = needs;
  if (problem !== null) return JSON.stringify([problem.plugin, problem.text]);
  return JSON.stringify([
    claims.map((claim) => claimParts(claim, index)),
    [...countByDriver(counted)].sort(([left], [right]) => (left < right ? -1 : 1)),
    disks.map(diskParts),
  ]);
}

export function countByDriver(volumes: Iterable<CountedVolume>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { driver } of volumes) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

function claimParts({ isEphemeral, claim, volume }: ClaimVolume, index: StorageIndex): unknown {
  if (claim === null) return null;
  if (isBound(claim)) {
    if (volume === null) return 'gone';
    const zones = isEphemeral ? null : ZONE_KEYS.map((key) => volume.labels.get(key));
    return ['bound', nodeSelectorText(volume.nodeAffinity), zones];
  }
  const { className, requestBytes, accessModes, volumeMode, attributesClassName, selectedNode } = claim;
  const selector = claim.selector === null ? null : selectorText(claim.selector);
  const reserved = index.volumesReservedFor(claim).map(({ name }) => name);
  const kind = [className, requestBytes, accessModes, volumeMode, attributesClassName];
  return ['delayed', ...kind, selector, selectedNode, reserved];
}

function diskParts({ type, name, monitors, readOnly }: LegacyDisk): unknown {
  return [type, name, monitors, readOnly];
}

const texts = new WeakMap<NodeSelector, string>();

function nodeSelectorText(selector: NodeSelector | null): string {
  if (selector === null) return '';
  let text = texts.get(selector);
  if (text === undefined) {
    text = JSON.stringify(selector);
    texts.set(selector, text);
  }
  return text;
}
