import type { Pod, PodShape } from '../kubernetes/pod.js';
import { amountsOf } from './amounts.js';
import type { Amounts } from './amounts.js';
import type { Charge } from './charge.js';
import type { NameIndex } from './name-index.js';
import { podSchedulingKey } from './scheduling-key.js';
import type { Topology } from './topology/topology.js';
import type { TopologyRules } from './topology/topology-rules.js';
import { hasVolumesThatMatter } from './volumes/pod-volumes.js';
import type { VolumeDemand, VolumeDemands } from './volumes/volume-demand.js';

/** What pods want of a node: one record for all pods that the filters can't tell apart. */
export interface Demand {
  /** Dense within one snapshot. */
  readonly id: number;
  /** Stands for all of them. */
  readonly pod: Pod;
  /** The node that the pod is assigned to (`spec.nodeName`), where that counts; else empty. */
  readonly nodeName: string;
  readonly asked: Amounts;
  /** What other pods mean to these; null: nothing. */
  readonly rules: TopologyRules | null;
  /** What they ask of volumes; null: nothing. */
  readonly volumes: VolumeDemand | null;
}

/** Interns demands and charges of one snapshot. */
export class DemandTable {
  /** By shape, for pods without a pin and rules; and of those with rules, by rules and shape. */
  private readonly byShape = new Map<PodShape, Demand>();
  private readonly byRules = new Map<TopologyRules, Map<PodShape, Demand>>();
  private readonly byKey = new Map<string, Demand>();
  private readonly charges = new Map<PodShape, Charge>();

  constructor(
    private readonly resources: NameIndex,
    private readonly topology: Topology,
    private readonly volumes: VolumeDemands,
  ) {}

  /** The demand of a pod that looks for a node; the node it may have at present does not matter. */
  of(pod: Pod): Demand {
    if (this.topology.isAsleep && pod.pinnedNodeName === '' && pod.claims.length === 0) {
      const known = this.byShape.get(pod.shape);
      if (known !== undefined) return known;
    }
    const rules = this.topology.rulesOf(pod);
    if (pod.pinnedNodeName !== '' || hasVolumesThatMatter(pod)) return this.byText(pod, rules, '');
    const demands = rules === null ? this.byShape : this.demandsWith(rules);
    let demand = demands.get(pod.shape);
    if (demand === undefined) {
      demand = this.byText(pod, rules, '');
      demands.set(pod.shape, demand);
    }
    return demand;
  }

  /** The demand of a pod with a `spec.nodeName` that counts (`scheduling` 3.2). */
  ofAssigned(pod: Pod): Demand {
    if (pod.nodeName === '') return this.of(pod);
    return this.byText(pod, this.topology.rulesOf(pod), pod.nodeName);
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

  private demandsWith(rules: TopologyRules): Map<PodShape, Demand> {
    let demands = this.byRules.get(rules);
    if (demands === undefined) {
      demands = new Map<PodShape, Demand>();
      this.byRules.set(rules, demands);
    }
    return demands;
  }

  private byText(pod: Pod, rules: TopologyRules | null, nodeName: string): Demand {
    const volumes = hasVolumesThatMatter(pod) ? this.volumes.of(pod) : null;
    const key = JSON.stringify([podSchedulingKey(pod), rules?.id, volumes?.id, nodeName]);
    let demand = this.byKey.get(key);
    if (demand === undefined) {
      const asked = amountsOf(pod.shape.requests, this.resources);
      demand = { id: this.byKey.size, pod, nodeName, asked, rules, volumes };
      this.byKey.set(key, demand);
    }
    return demand;
  }
}
