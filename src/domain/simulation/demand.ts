import type { HostPort, Pod, PodShape } from '../kubernetes/pod.js';
import { amountsOf } from './amounts.js';
import type { Amounts } from './amounts.js';
import type { NameIndex } from './name-index.js';
import { podSchedulingKey } from './scheduling-key.js';

/** What pods take from the node that they run on. */
export interface Charge {
  readonly amounts: Amounts;
  readonly hostPorts: readonly HostPort[];
}

/** What pods want of a node: one record for all pods that the filters can't tell apart. */
export interface Demand {
  /** Dense within one snapshot. */
  readonly id: number;
  /** Stands for all of them. */
  readonly pod: Pod;
  /** The node that the pod is assigned to (`spec.nodeName`), where that counts; else empty. */
  readonly nodeName: string;
  readonly asked: Amounts;
}

/** Interns demands and charges of one snapshot. */
export class DemandTable {
  private readonly byShape = new Map<PodShape, Demand>();
  private readonly byKey = new Map<string, Demand>();
  private readonly charges = new Map<PodShape, Charge>();

  constructor(private readonly resources: NameIndex) {}

  /** The demand of a pod that looks for a node; the node it may have at present does not matter. */
  of(pod: Pod): Demand {
    if (pod.pinnedNodeName !== '') return this.byText(podSchedulingKey(pod), pod, '');
    let demand = this.byShape.get(pod.shape);
    if (demand === undefined) {
      demand = this.byText(podSchedulingKey(pod), pod, '');
      this.byShape.set(pod.shape, demand);
    }
    return demand;
  }

  /** The demand of a pod with a `spec.nodeName` that counts (`scheduling` 3.2). */
  ofAssigned(pod: Pod): Demand {
    if (pod.nodeName === '') return this.of(pod);
    return this.byText(JSON.stringify([podSchedulingKey(pod), '@', pod.nodeName]), pod, pod.nodeName);
  }

  /** What the pod is charged, in the existing reading. */
  chargeOf(pod: Pod): Charge {
    if (pod.charged !== null) {
      return { amounts: amountsOf(pod.charged, this.resources), hostPorts: pod.shape.hostPorts };
    }
    let charge = this.charges.get(pod.shape);
    if (charge === undefined) {
      const amounts = amountsOf(pod.shape.requests, this.resources);
      charge = { amounts, hostPorts: pod.shape.hostPorts };
      this.charges.set(pod.shape, charge);
    }
    return charge;
  }

  private byText(key: string, pod: Pod, nodeName: string): Demand {
    let demand = this.byKey.get(key);
    if (demand === undefined) {
      const asked = amountsOf(pod.shape.requests, this.resources);
      demand = { id: this.byKey.size, pod, nodeName, asked };
      this.byKey.set(key, demand);
    }
    return demand;
  }
}
