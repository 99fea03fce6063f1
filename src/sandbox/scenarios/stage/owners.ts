import type { Kind, KubernetesCluster, Manifest, ReplicatedWorkload } from '../../kubernetes/index.js';
import { kinds } from '../../kubernetes/index.js';
import type { PodDocument } from '../format/pod-shape.js';
import { OWNER_LABEL, hasOwner, podManifest, podTemplate, toRecord } from './pod-manifest.js';

interface OwnerKindRow {
  readonly apiVersion: string;
  readonly kind: string;
  /** Only those with replicas are ever scaled. */
  readonly row: Kind<ReplicatedWorkload>;
}

const OWNER_KINDS = {
  rs: { apiVersion: 'apps/v1', kind: 'ReplicaSet', row: kinds.REPLICA_SETS },
  sts: { apiVersion: 'apps/v1', kind: 'StatefulSet', row: kinds.STATEFUL_SETS },
  ds: { apiVersion: 'apps/v1', kind: 'DaemonSet', row: kinds.DAEMON_SETS },
  job: { apiVersion: 'batch/v1', kind: 'Job', row: kinds.JOBS },
} as const;

type OwnerKind = keyof typeof OWNER_KINDS;

function rowOf(kind: OwnerKind): OwnerKindRow {
  return OWNER_KINDS[kind];
}

/** Makes pods together with their controllers, so that evicted ones come back. */
export class PodMaker {
  constructor(private readonly cluster: KubernetesCluster) {}

  /** All at once, so that no controller acts on a part of them. */
  create(pods: readonly PodDocument[]): void {
    const byOwner = new Map<string, (PodDocument & { readonly owner: string })[]>();
    for (const pod of pods.filter(hasOwner)) {
      const key = `${namespaceOf(pod)}/${pod.owner}`;
      byOwner.set(key, [...(byOwner.get(key) ?? []), pod]);
    }
    for (const members of byOwner.values()) this.adopt(members);
    for (const pod of pods.filter((one) => !hasOwner(one))) this.cluster.create(podManifest(pod));
  }

  scale(owner: string, replicas: number, namespace = 'default'): void {
    const [kind, name] = split(owner);
    this.cluster.modify(rowOf(kind).row, { namespace, name }, (draft) => {
      if (kind === 'job') Object.assign(draft.spec, { parallelism: replicas });
      else draft.spec.replicas = replicas;
    });
  }

  remove(owner: string, namespace = 'default'): void {
    const [kind, name] = split(owner);
    this.cluster.delete(rowOf(kind).row, name, namespace);
  }

  private adopt(members: readonly (PodDocument & { readonly owner: string })[]): void {
    const first = members[0]!;
    const [kind, name] = split(first.owner);
    const namespace = namespaceOf(first);
    const { apiVersion, kind: kindName, row } = rowOf(kind);
    const known = this.cluster.get(row, name, namespace);
    if (known === undefined) this.cluster.create(ownerManifest(kind, name, members));
    else if (kind !== 'ds') this.scale(first.owner, (known.spec.replicas ?? 0) + members.length, namespace);
    const { uid } = this.cluster.get(row, name, namespace)!.metadata;
    const reference = { apiVersion, kind: kindName, name, uid, controller: true, blockOwnerDeletion: true };
    for (const pod of members) this.cluster.create(podManifest(pod, [reference]));
  }
}

function ownerManifest(kind: OwnerKind, name: string, members: readonly PodDocument[]): Manifest {
  const first = members[0]!;
  const { apiVersion, kind: kindName } = rowOf(kind);
  const { metadata, spec } = podTemplate(first);
  const template = {
    metadata: {
      labels: metadata.labels,
      annotations: { ...metadata.annotations, ...toRecord(first.ownerAnnotations) },
    },
    spec,
  };
  const selector = { matchLabels: { [OWNER_LABEL]: `${kind}.${name}` } };
  const replicas = members.length;
  return {
    apiVersion,
    kind: kindName,
    metadata: { name, namespace: namespaceOf(first), annotations: toRecord(first.ownerAnnotations) },
    spec:
      kind === 'job'
        ? { parallelism: replicas, completions: replicas, template }
        : kind === 'ds'
          ? { selector, template }
          : { replicas, selector, template, ...(kind === 'sts' && { podManagementPolicy: 'Parallel' }) },
  };
}

export function namespaceOf({ namespace = 'default' }: { readonly namespace?: string }): string {
  return namespace;
}

function split(owner: string): readonly [OwnerKind, string] {
  const [kind, name] = owner.split('/');
  return [kind as OwnerKind, name!];
}
