import { CSI_NODES, NODES } from '../objects/kinds.js';
import type { Registry } from '../registry/registry.js';
import type { FullNodeProfile } from './node-profile.js';

/** What happens when the CSI drivers of a node come up: its CSINode, and the labels of their topology. */
export function registerDrivers(registry: Registry, nodeName: string, { csiDrivers }: FullNodeProfile): void {
  const ref = { namespace: '', name: nodeName };
  if (registry.store.get(CSI_NODES, undefined, nodeName) !== undefined) return;
  const drivers = csiDrivers.map(({ name, topology = {}, volumesMax }) => ({
    name,
    nodeID: nodeName,
    topologyKeys: Object.keys(topology),
    ...(volumesMax === undefined ? {} : { allocatable: { count: volumesMax } }),
  }));
  registry.create(CSI_NODES, { metadata: { name: nodeName }, spec: { drivers } }, '');
  registry.modify(NODES, ref, (draft) => {
    for (const { topology } of csiDrivers) {
      draft.metadata.labels = { ...draft.metadata.labels, ...topology };
    }
  });
}
