import { NO_STORAGE } from '../../../domain/kubernetes/storage.js';
import type { ClusterStorage } from '../../../domain/kubernetes/storage.js';
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

type Part = keyof ClusterStorage;
type Stores = { readonly [P in Part]: RecordStore<ClusterStorage[P][number]> };

/** Begins to watch a resource. */
type Watch = <T extends object>(row: ResourceRow<T>) => RecordStore<T>;

/** The records of all storage resources. */
export class StorageStores {
  private readonly stores: Stores;
  private last: ClusterStorage = NO_STORAGE;

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
    const now: ClusterStorage = {
      volumes: volumes.all(),
      claims: claims.all(),
      classes: classes.all(),
      csiNodes: csiNodes.all(),
      csiDrivers: csiDrivers.all(),
      capacities: capacities.all(),
      attachments: attachments.all(),
    };
    const isChanged = (Object.keys(now) as Part[]).some((part) => now[part] !== this.last[part]);
    if (isChanged) this.last = now;
    return this.last;
  }
}
