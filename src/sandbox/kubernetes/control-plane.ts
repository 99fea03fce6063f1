import { CloudController } from './controllers/cloud-controller.js';
import { daemonSetController } from './controllers/daemon-set.js';
import { deploymentController } from './controllers/deployment.js';
import { disruptionBudgetController } from './controllers/disruption-budget.js';
import { EventExpiry, EventRecorder } from './controllers/event-recorder.js';
import { GarbageCollector } from './controllers/garbage-collector.js';
import { jobController } from './controllers/job.js';
import { namespaceController } from './controllers/namespaces.js';
import { nodeLifecycleController } from './controllers/node-lifecycle.js';
import { OwnerIndex } from './controllers/owner-index.js';
import { podCollector } from './controllers/pod-collector.js';
import { replicaSetController, replicationControllerController } from './controllers/replica-set.js';
import { statefulSetController } from './controllers/stateful-set.js';
import { Kubelets } from './kubelet/kubelets.js';
import type { NodeProfileOf } from './kubelet/node-profile.js';
import type { PodTimes } from './kubelet/pod-runtime.js';
import type { Registry } from './registry/registry.js';
import { attachmentController } from './storage/attachments.js';
import { claimBinder, ephemeralVolumeController, volumeReclaimer } from './storage/claim-binder.js';
import { Scheduler } from './scheduler/scheduler.js';
import type { MachineFleet } from '../world/machine.js';

export interface ControlPlaneOptions {
  readonly podTimes: PodTimes;
  /** `--node-monitor-grace-period`: silence of a kubelet until its node counts as unknown. */
  readonly silenceGraceMs: number;
  /** Time that a new node waits for the cloud controller. */
  readonly initializeMs: number;
  /** Time that a cloud needs to take a volume off a machine. */
  readonly detachMs: number;
  /** Time between two signs of life of a kubelet; 0: it gives none. */
  readonly heartbeatMs: number;
}

interface Part {
  start(): void;
  stop(): void;
}

/** All that works in the cluster by itself: scheduler, controllers, kubelets. */
export class ControlPlane {
  private readonly index: OwnerIndex;
  private readonly parts: readonly Part[];
  private readonly kubelets: Kubelets;
  private readonly cloud: CloudController;
  private running = false;

  constructor(
    registry: Registry,
    private readonly fleet: MachineFleet,
    profileOf: NodeProfileOf,
    { podTimes, silenceGraceMs, initializeMs, detachMs, heartbeatMs }: ControlPlaneOptions,
  ) {
    const index = new OwnerIndex(registry.store);
    this.index = index;
    this.parts = [
      namespaceController(registry),
      deploymentController(registry, index),
      replicaSetController(registry, index),
      replicationControllerController(registry, index),
      daemonSetController(registry, index),
      statefulSetController(registry, index),
      jobController(registry, index),
      disruptionBudgetController(registry),
      nodeLifecycleController(registry, index),
      podCollector(registry, index),
      claimBinder(registry),
      volumeReclaimer(registry),
      ephemeralVolumeController(registry),
      attachmentController(registry, index, detachMs),
      new GarbageCollector(registry, index),
      new EventExpiry(registry),
      new Scheduler(registry, index, new EventRecorder(registry, 'default-scheduler')),
    ];
    this.kubelets = new Kubelets({ registry, index, podTimes, silenceGraceMs, heartbeatMs }, profileOf);
    this.cloud = new CloudController(registry, initializeMs);
    fleet.listen(this.kubelets);
    fleet.listen(this.cloud);
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    for (const part of this.parts) part.start();
    this.cloud.start(this.fleet);
    this.kubelets.start(this.fleet);
  }

  /** Whether nodes outlive their machines: the cloud controller does not remove them. */
  keepGhosts(keeps: boolean): void {
    this.cloud.keepsGhosts = keeps;
  }

  stop(): void {
    this.running = false;
    this.kubelets.stop();
    this.cloud.stop();
    for (const part of this.parts) part.stop();
    this.index.stop();
  }
}
