import { BrokenObjectError, SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';
import { projectNamespace } from '../../../src/adapters/kubernetes/projection/project-namespace.js';
import { projectNode } from '../../../src/adapters/kubernetes/projection/project-node.js';
import { projectPod } from '../../../src/adapters/kubernetes/projection/project-pod.js';
import {
  projectCsiDriver,
  projectCsiNode,
  projectCsiStorageCapacity,
  projectStorageClass,
  projectVolumeAttachment,
} from '../../../src/adapters/kubernetes/projection/project-storage.js';
import { projectClaim, projectVolume } from '../../../src/adapters/kubernetes/projection/project-volume.js';
import { projectNodeSelector } from '../../../src/adapters/kubernetes/projection/project-selector.js';
import { namespaceLabels } from '../../../src/domain/kubernetes/namespace.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterStorage } from '../../../src/domain/kubernetes/storage.js';
import { QuantityError } from '../../../src/domain/kubernetes/quantity.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import type { ClusterSnapshot, SchedulingOptions, Verdict } from '../../../src/domain/simulation/index.js';
import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { nameOf } from '../../reference/oracle/cluster.js';
import type { Cluster, SchedulerOptions } from '../../reference/oracle/cluster.js';
import type { OracleVerdict } from '../../reference/oracle/verdict.js';
import type { Scenario } from './scenario.js';

/** Two descriptions of one JSON: what the oracle wrote is what the projection reads. */
type ReadBy<Project extends (object: never, ...rest: never[]) => unknown> = Parameters<Project>[0];

/** The program's side: API objects through the real projection into a real snapshot. */
export class Subject {
  readonly snapshot: ClusterSnapshot;
  private readonly shared = new SharedRecords();
  readonly storage: ClusterStorage;

  constructor({ options, cluster }: Pick<Scenario, 'options' | 'cluster'>) {
    this.storage = this.storageOf(cluster);
    this.snapshot = createSnapshot({ ...this.optionsOf(options, cluster), storage: this.storage });
  }

  /** Null where the program does not admit the object. */
  readPod(pod: PodObject): Pod | null {
    return readable(() => projectPod(pod as ReadBy<typeof projectPod>, this.shared));
  }

  readNode(node: NodeObject): Node | null {
    const csiNode = this.storage.csiNodes.find(({ nodeName }) => nodeName === nameOf(node));
    return readable(() => ({
      ...projectNode(node as ReadBy<typeof projectNode>, this.shared),
      ...(csiNode !== undefined && { volumeLimits: csiNode.limits }),
    }));
  }

  private optionsOf(
    { addedAffinity, tolerationComparison }: SchedulerOptions,
    cluster: Cluster,
  ): SchedulingOptions {
    const namespaces = cluster.namespaces.map((each) =>
      projectNamespace(each as ReadBy<typeof projectNamespace>, this.shared),
    );
    const terms = addedAffinity?.nodeSelectorTerms as ReadBy<typeof projectNodeSelector>;
    return {
      tolerations: { comparisonOperators: tolerationComparison },
      namespaces: namespaceLabels(namespaces),
      ...(addedAffinity !== null && { addedNodeAffinity: projectNodeSelector(terms) }),
    };
  }

  private storageOf(cluster: Cluster): ClusterStorage {
    const { shared } = this;
    return {
      volumes: cluster.persistentVolumes.map((each) =>
        projectVolume(each as ReadBy<typeof projectVolume>, shared),
      ),
      claims: cluster.claims.map((each) => projectClaim(each as ReadBy<typeof projectClaim>, shared)),
      classes: cluster.storageClasses.map((each) =>
        projectStorageClass(each as ReadBy<typeof projectStorageClass>),
      ),
      csiNodes: cluster.csiNodes.map((each) => projectCsiNode(each as ReadBy<typeof projectCsiNode>, shared)),
      csiDrivers: cluster.csiDrivers.map((each) => projectCsiDriver(each as ReadBy<typeof projectCsiDriver>)),
      capacities: cluster.storageCapacities.map((each) =>
        projectCsiStorageCapacity(each as ReadBy<typeof projectCsiStorageCapacity>, shared),
      ),
      attachments: cluster.volumeAttachments.map((each) =>
        projectVolumeAttachment(each as ReadBy<typeof projectVolumeAttachment>, shared),
      ),
    };
  }
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof QuantityError || error instanceof BrokenObjectError) return null;
    throw error;
  }
}

/** The verdict as the oracle would write it. */
export function asOracleVerdict(verdict: Verdict): OracleVerdict {
  if (verdict.fit) return verdict;
  const { plugin, reasons, message } = verdict;
  return {
    fit: false,
    plugin,
    reasons: reasons.map((reason) => reason.text),
    ...(message !== undefined && { message }),
  };
}
