import type { NodeSelectorTerm, Volume, VolumeClaim } from '../objects/types.js';
import { requirementMatches } from '../objects/selector.js';
import type { ObjectStore } from '../store/object-store.js';
import { VOLUMES } from '../objects/kinds.js';
import { classNameOf } from './claims.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** Whether the volume can be used on a node with these labels. */
function isReachable({ spec }: Volume, labels: Labels): boolean {
  const required = spec.nodeAffinity?.required;
  return required === undefined || required.nodeSelectorTerms.some((term) => termMatches(term, labels));
}

function termMatches({ matchExpressions = [] }: NodeSelectorTerm, labels: Labels): boolean {
  return (
    matchExpressions.length > 0 &&
    matchExpressions.every((requirement) => requirementMatches(requirement, labels))
  );
}

/**
 * A volume that is there already and serves the claim, the smallest first; with `labels`, one that such a node reaches.
 */
export function findStaticVolume(
  store: ObjectStore,
  claim: VolumeClaim,
  labels?: Labels,
): Volume | undefined {
  const fitting = store.list(VOLUMES).filter((volume) => {
    if (!serves(volume, claim)) return false;
    return labels === undefined || isReachable(volume, labels);
  });
  const size = ({ spec }: Volume): number => bytesOf(spec.capacity?.['storage']);
  return fitting.sort((left, right) => size(left) - size(right))[0];
}

function serves({ metadata, spec, status }: Volume, claim: VolumeClaim): boolean {
  if (metadata.deletionTimestamp !== undefined || (spec.storageClassName ?? '') !== classNameOf(claim))
    return false;
  const { claimRef } = spec;
  const isForIt = claimRef?.name === claim.metadata.name && claimRef.namespace === claim.metadata.namespace;
  if (claimRef !== undefined ? !isForIt : status?.phase !== 'Available') return false;
  const modes = spec.accessModes ?? [];
  return (
    (claim.spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    bytesOf(spec.capacity?.['storage']) >= bytesOf(claim.spec.resources?.requests?.['storage'])
  );
}

const SUFFIXES = new Map([
  ['', 1],
  ...['K', 'M', 'G', 'T', 'P'].flatMap((letter, index): [string, number][] => [
    [`${letter}i`, 1024 ** (index + 1)],
    [index === 0 ? 'k' : letter, 1000 ** (index + 1)],
  ]),
]);

/** Size of a volume; 0 for what is no size. */
function bytesOf(quantity: string | number | undefined): number {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(`${quantity ?? 0}`);
  return match === null ? 0 : Number(match[1]) * (SUFFIXES.get(match[2]!) ?? 0);
}
