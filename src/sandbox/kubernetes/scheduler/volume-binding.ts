import { CLAIMS, CSI_NODES, NODES } from '../objects/kinds.js';
import type { Node, Pod, StorageClass, VolumeClaim } from '../objects/types.js';
import { refOf } from '../controllers/reconciler.js';
import type { Registry } from '../registry/registry.js';
import { bindClaim, provisionVolume } from '../storage/bind-claim.js';
import type { Topology } from '../storage/bind-claim.js';
import { canProvision, claimsOf, classOf, isBound, SELECTED_NODE } from '../storage/claims.js';
import { findStaticVolume } from '../storage/volumes.js';

const NODE_ZONE = 'topology.kubernetes.io/zone';

/** Binds claims that wait for their first consumer, once its node is chosen. Whether it may go there the filters say. */
export class VolumeBinding {
  constructor(private readonly registry: Registry) {}

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

  /** The keys that the driver names on this node; the zone where there is no driver. */
  private topologyOf({ provisioner }: StorageClass, { metadata: { name, labels = {} } }: Node): Topology {
    const drivers = this.registry.store.get(CSI_NODES, undefined, name)?.spec.drivers ?? [];
    const keys = drivers.find((driver) => driver.name === provisioner)?.topologyKeys ?? [NODE_ZONE];
    return Object.fromEntries(keys.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
  }
}
