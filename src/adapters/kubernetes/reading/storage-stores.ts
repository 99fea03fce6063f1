import type { ClusterStorage } from '../../../domain/kubernetes/storage.js';
import { Derived } from './derived.js';
import type { RecordStore } from './record-store.js';
import type { ResourceRow } from './resource-row.js';
import {
  CLAIMS,
  CSI_DRIVERS,
  CSI_NODES,
  CSI_STORAGE_CAPACITIES,
  STORAGE_CLASSES,
  VOLUMES,
  VOLUME_ATTACHMENTS,
} from './resource-table.js';

type Stores = { readonly [Part in keyof ClusterStorage]: RecordStore<ClusterStorage[Part][number]> };

/** Begins to watch a resource. */
type Watch = <T extends object>(row: ResourceRow<T>) => RecordStore<T>;

/** The records of all storage resources. */
export class StorageStores {
  private readonly stores: Stores;
  private readonly storageOf = new Derived(
    (
      volumes: ClusterStorage['volumes'],
      claims: ClusterStorage['claims'],
      classes: ClusterStorage['classes'],
      csiNodes: ClusterStorage['csiNodes'],
      csiDrivers: ClusterStorage['csiDrivers'],
      capacities: ClusterStorage['capacities'],
      attachments: ClusterStorage['attachments'],
    ): ClusterStorage => ({ volumes, claims, classes, csiNodes, csiDrivers, capacities, attachments }),
  );

  constructor(watch: Watch) {
    this.stores = {
      volumes: watch(VOLUMES),
      claims: watch(CLAIMS),
      classes: watch(STORAGE_CLASSES),
      csiNodes: watch(CSI_NODES),
      csiDrivers: watch(CSI_DRIVERS),
      capacities: watch(CSI_STORAGE_CAPACITIES),
      attachments: watch(VOLUME_ATTACHMENTS),
    };
  }

  /** The same object until something changes, so that what is worked out from it can be kept. */
  all(): ClusterStorage {
    const { volumes, claims, classes, csiNodes, csiDrivers, capacities, attachments } = this.stores;
    return this.storageOf.from(
      volumes.all(),
      claims.all(),
      classes.all(),
      csiNodes.all(),
      csiDrivers.all(),
      capacities.all(),
      attachments.all(),
    );
  }
}
