import { CLAIMS, CSI_NODES, NODES, VOLUMES } from '../objects/kinds.js';
import { controllerOf } from '../objects/object.js';
import type { Node, Pod, StorageClass, VolumeClaim } from '../objects/types.js';
import type { OwnerIndex } from '../controllers/owner-index.js';
import { isFinished } from '../controllers/pods.js';
import { refOf } from '../controllers/reconciler.js';
import type { Registry } from '../registry/registry.js';
import { bindClaim, provisionVolume } from '../storage/bind-claim.js';
import type { Topology } from '../storage/bind-claim.js';
import { canProvision, claimsOf, classOf, isBound, isDelayed, SELECTED_NODE } from '../storage/claims.js';
import { findStaticVolume, isReachable } from '../storage/volumes.js';

const WRONG_PLACE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const TOO_MANY = 'node(s) exceed max volume count';
const NODE_ZONE = 'topology.kubernetes.io/zone';

/** The scheduler's rules for volumes: VolumeRestrictions, NodeVolumeLimits and VolumeBinding, in its words. */
export class VolumeBinding {
  constructor(
    private readonly registry: Registry,
    private readonly index: OwnerIndex,
  ) {}

  /** Why no node will do, whatever it is; null if some may. */
  obstacle(pod: Pod): string | null {
    const { store } = this.registry;
    const { namespace = '', name: podName, uid } = pod.metadata;
    for (const { name, ephemeral } of claimsOf(pod)) {
      const claim = store.get(CLAIMS, namespace, name);
      if (claim === undefined) {
        const waiting = 'waiting for ephemeral volume controller to create the persistentvolumeclaim';
        return ephemeral ? `${waiting} "${name}"` : `persistentvolumeclaim "${name}" not found`;
      }
      if (claim.status?.phase === 'Lost') {
        const volume = claim.spec.volumeName ?? '';
        return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`;
      }
      if (claim.metadata.deletionTimestamp !== undefined)
        return `persistentvolumeclaim "${name}" is being deleted`;
      if (ephemeral && controllerOf(claim)?.uid !== uid) {
        return `PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`;
      }
    }
    const isImmediate = (claim: VolumeClaim): boolean => !isBound(claim) && !isDelayed(store, claim);
    return this.claims(pod).some(isImmediate) ? 'pod has unbound immediate PersistentVolumeClaims' : null;
  }

  /** Why this node will not do; null if it will. */
  obstacleOn(pod: Pod, nodeName: string): string | null {
    const claims = this.claims(pod);
    const node = this.registry.store.get(NODES, undefined, nodeName);
    if (claims.length === 0 || node === undefined) return null;
    if (this.exceedsLimit(claims, nodeName)) return TOO_MANY;
    const { store } = this.registry;
    for (const claim of claims.filter(isBound)) {
      const volume = store.get(VOLUMES, undefined, claim.spec.volumeName ?? '');
      if (volume === undefined)
        return 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
      if (!isReachable(volume, node.metadata.labels)) return WRONG_PLACE;
    }
    const canBind = (claim: VolumeClaim): boolean => this.canBindOn(claim, node);
    return claims.filter((claim) => !isBound(claim)).every(canBind) ? null : NO_VOLUME;
  }

  /** Binds the claims that waited for the pod's node. */
  bind(pod: Pod, nodeName: string): void {
    const { store } = this.registry;
    const node = store.get(NODES, undefined, nodeName);
    if (node === undefined) return;
    for (const claim of this.claims(pod).filter((one) => !isBound(one))) {
      const found = findStaticVolume(store, claim, node.metadata.labels);
      const storageClass = classOf(store, claim);
      if (found !== undefined) bindClaim(this.registry, claim, found);
      else if (canProvision(storageClass)) this.provision(claim, storageClass, node);
    }
  }

  private provision(claim: VolumeClaim, storageClass: StorageClass, node: Node): void {
    const annotated = this.registry.modify(CLAIMS, refOf(claim), (draft) => {
      draft.metadata.annotations = { ...draft.metadata.annotations, [SELECTED_NODE]: node.metadata.name };
    });
    if (annotated === undefined) return;
    const topology = this.topologyOf(storageClass, node);
    bindClaim(this.registry, annotated, provisionVolume(this.registry, annotated, storageClass, topology));
  }

  private claims(pod: Pod): readonly VolumeClaim[] {
    const { namespace } = pod.metadata;
    return claimsOf(pod).flatMap(({ name }) => this.registry.store.get(CLAIMS, namespace, name) ?? []);
  }

  private canBindOn(claim: VolumeClaim, node: Node): boolean {
    const { store } = this.registry;
    const { labels = {}, name } = node.metadata;
    const selected = claim.metadata.annotations?.[SELECTED_NODE];
    if (selected !== undefined && selected !== name) return false;
    if (findStaticVolume(store, claim, labels) !== undefined) return true;
    const storageClass = classOf(store, claim);
    if (!canProvision(storageClass)) return false;
    const { allowedTopologies = [] } = storageClass;
    return (
      allowedTopologies.length === 0 ||
      allowedTopologies.some(
        ({ matchLabelExpressions = [] }) =>
          matchLabelExpressions.length > 0 &&
          matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
      )
    );
  }

  /** The keys that the driver names on this node; the zone where there is no driver. */
  private topologyOf({ provisioner }: StorageClass, { metadata: { name, labels = {} } }: Node): Topology {
    const drivers = this.registry.store.get(CSI_NODES, undefined, name)?.spec.drivers ?? [];
    const keys = drivers.find((driver) => driver.name === provisioner)?.topologyKeys ?? [NODE_ZONE];
    return Object.fromEntries(keys.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
  }

  private exceedsLimit(claims: readonly VolumeClaim[], nodeName: string): boolean {
    const drivers = this.registry.store.get(CSI_NODES, undefined, nodeName)?.spec.drivers ?? [];
    const limited = drivers.filter(({ allocatable }) => allocatable?.count !== undefined);
    if (limited.length === 0) return false;
    const there = this.index
      .podsOn(nodeName)
      .filter((pod) => !isFinished(pod))
      .flatMap((pod) => this.claims(pod));
    return limited.some(({ name, allocatable }) => {
      const identities = (list: readonly VolumeClaim[]): string[] =>
        list.flatMap((claim) => (this.driverOf(claim) === name ? [claim.metadata.uid] : []));
      return new Set(identities([...there, ...claims])).size > allocatable!.count!;
    });
  }

  private driverOf(claim: VolumeClaim): string | undefined {
    const { store } = this.registry;
    const volume = store.get(VOLUMES, undefined, claim.spec.volumeName ?? '');
    return volume === undefined ? classOf(store, claim)?.provisioner : volume.spec.csi?.driver;
  }
}
