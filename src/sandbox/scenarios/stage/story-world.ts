import { HetznerSandbox, POOL_LABEL } from '../../hetzner-sandbox.js';
import { kinds } from '../../kubernetes/index.js';
import type { Manifest } from '../../kubernetes/index.js';
import type { Machine, VirtualClock } from '../../world/index.js';
import type { CloudServerDocument } from '../format/cloud-shape.js';
import { expandText } from '../format/ranges.js';
import type { PodDocument } from '../format/pod-shape.js';
import type { DeletionDocument } from '../format/story-shape.js';
import type { GroupDocument, NodeDocument } from '../format/world-shape.js';
import type { Additions, Step, Story, World } from '../story.js';
import { ApiScript } from './api-script.js';
import { Attachments } from './attachments.js';
import { CloudScript } from './cloud-script.js';
import { Fillers } from './fillers.js';
import { foreignShape, sellMachinesOf } from './machines.js';
import type { GroupMachines } from './machines.js';
import { budgetManifest, claimManifests, daemonSetManifest, volumeManifest } from './manifests.js';
import { NODE_AGE_MS, NodePlans, SILENCE_GRACE_MS, ageOf } from './node-plans.js';
import { PodMaker, namespaceOf } from './owners.js';
import { toRecord } from './pod-manifest.js';
import { DELETION_CANDIDATE_TAINT, taintWithTimes } from './taints.js';

/** From power-on of a listed node until it is ready and initialized, with some room. */
const NODE_SETTLED_MS = 4_000;
const POD_AGE_MS = 30_000;
/** The world exists a little before the first thing in it. */
const PREHISTORY_MS_MIN = 10_000;
const REQUESTS_KEPT = 100;
const FOREIGN_CPU = 4;
const FOREIGN_MEM = 16;

/**
 * The world of a story: cloud and cluster as they are when the autoscaler starts, with a history of their own behind
 * them, and the deeds by which the story changes them.
 */
export class StoryWorld {
  readonly sandbox: HetznerSandbox;
  /** World time of `0s`. */
  readonly startMs: number;
  private readonly machines = new Map<string, GroupMachines>();
  private readonly nodePlans: NodePlans;
  private readonly pods: PodMaker;
  private readonly cloudScript: CloudScript;
  private readonly apiScript: ApiScript;
  private readonly fillers = new Fillers();
  private readonly attachments: Attachments;
  /** Every node that the story names, for pods that come later. */
  private readonly nodes = new Map<string, NodeDocument>();

  constructor(
    private readonly story: Story,
    private readonly clock: VirtualClock,
    seed: number | string,
  ) {
    const groups = new Map(story.world.groups.map((group) => [group.id, group]));
    const machinesOf = (group: string): GroupMachines | undefined => this.machines.get(group);
    this.nodePlans = new NodePlans(groups, machinesOf, () => this.cloudScript.joinTimes);
    this.sandbox = new HetznerSandbox({
      clock,
      seed,
      // Who plays a story keeps a log of requests of his own.
      kubernetes: { silenceGraceMs: SILENCE_GRACE_MS, requestsKept: REQUESTS_KEPT },
      nodeProfile: (machine) => this.nodePlans.profileOf(machine),
    });
    const { cloud, cluster } = this.sandbox;
    this.startMs = clock.now() + StoryWorld.prehistoryMs(story.world);
    this.pods = new PodMaker(cluster);
    this.cloudScript = new CloudScript(cloud, clock, machinesOf);
    this.apiScript = new ApiScript(cluster, clock);
    this.attachments = new Attachments(cluster, clock);
  }

  /** Time before `0s` that the oldest thing needs. */
  static prehistoryMs({ nodes, pods, cloud }: World): number {
    const ages = [
      ...nodes.map(ageOf),
      ...pods.map(({ age = POD_AGE_MS }) => age),
      ...(cloud?.servers ?? []).map(({ age = NODE_AGE_MS }) => age),
    ];
    return PREHISTORY_MS_MIN + ages.reduce((oldest, age) => Math.max(oldest, age), 0);
  }

  /** Story time now, in milliseconds. */
  now(): number {
    return this.clock.now() - this.startMs;
  }

  /** Lets the history before `0s` happen. */
  async prepare(): Promise<void> {
    const { world } = this.story;
    this.cloudScript.sellTypes(world.cloud ?? {});
    for (const group of world.groups) this.machines.set(group.id, sellMachinesOf(this.sandbox.cloud, group));
    this.sandbox.start();
    this.putObjects(world);
    this.scheduleAdditions(world);
    for (const server of world.cloud?.servers ?? []) {
      this.at(-(server.age ?? NODE_AGE_MS), () => this.addServers(server));
    }
    await this.clock.advance(this.startMs - this.clock.now());
    this.cloudScript.apply(world.cloud ?? {});
    this.apiScript.apply(world.api ?? {});
  }

  /** What a step does to the world; not to the program. */
  carryOut(step: Step): void {
    if (step.create !== null) {
      this.putObjects(step.create);
      this.scheduleAdditions(step.create);
    }
    if (step.delete !== undefined) this.remove(step.delete);
    for (const [owner, replicas] of step.scale ?? []) this.pods.scale(owner, replicas);
    for (const name of step.fail ?? []) this.silence(name);
    this.changeNodes(step);
    if (step.cloud !== undefined) {
      this.cloudScript.sellTypes(step.cloud);
      for (const server of step.cloud.servers ?? []) this.addServers(server);
      this.cloudScript.apply(step.cloud);
    }
    if (step.api !== undefined) this.apiScript.apply(step.api);
  }

  placeOf(group: GroupDocument): { readonly typeName: string; readonly location: string } {
    return this.machines.get(group.id)!;
  }

  private at(storyMs: number, deed: () => void): void {
    this.clock.schedule(this.startMs + storyMs - this.clock.now(), deed);
  }

  /** Objects without age come first: pods refer to them. */
  private putObjects(additions: Additions | World): void {
    const { cluster } = this.sandbox;
    const { budgets = [], daemonSets = [], volumes = [], claims = [], attachments = [] } = additions;
    cluster.apply(...volumes.map(volumeManifest), ...claims.flatMap(claimManifests));
    cluster.apply(...budgets.map(budgetManifest), ...daemonSets.map(daemonSetManifest));
    cluster.apply(...((additions.objects ?? []) as readonly Manifest[]));
    for (const object of additions.brokenObjects ?? []) cluster.plant(object as Manifest);
    for (const attachment of attachments) this.attachments.add(attachment);
  }

  private scheduleAdditions({ nodes, pods, daemonSets = [] }: Additions | World): void {
    const nowMs = this.now();
    for (const node of nodes) {
      this.nodes.set(node.id, node);
      this.nodePlans.expect(node);
      const bornMs = Math.max(nowMs, -this.ageNow(node, nowMs));
      this.at(bornMs, () => this.addNode(node));
      this.at(bornMs + NODE_SETTLED_MS, () => this.markNode(node));
    }
    const all = [...pods, ...this.fillers.podsFor(nodes, { pods, daemonSets }, (node) => this.roomOf(node))];
    const births = new Map<number, PodDocument[]>();
    for (const pod of all) {
      const bornMs = Math.max(nowMs, this.birthOf(pod, nowMs));
      births.set(bornMs, [...(births.get(bornMs) ?? []), pod]);
      if (pod.terminating !== undefined)
        this.at(-pod.terminating, () => this.removePod(pod.id, namespaceOf(pod)));
    }
    for (const [bornMs, born] of births) this.at(bornMs, () => this.addPods(born));
  }

  /** What appears in a step is new unless it says otherwise. */
  private ageNow(node: NodeDocument, nowMs: number): number {
    return nowMs < 0 || node.age !== undefined ? ageOf(node) : -nowMs;
  }

  private birthOf(pod: PodDocument, nowMs: number): number {
    const node = pod.on === undefined ? undefined : this.nodes.get(pod.on);
    if (node === undefined) return nowMs < 0 ? -(pod.age ?? POD_AGE_MS) : nowMs;
    // After the marks of its node: what is on a tainted node was there before or tolerates it.
    const settledMs = Math.max(nowMs, -this.ageNow(node, nowMs)) + NODE_SETTLED_MS + 1_000;
    return pod.age === undefined ? settledMs : Math.max(settledMs, -pod.age);
  }

  private addNode(node: NodeDocument): void {
    const { group } = node;
    if (group !== undefined && node.machine !== 'gone') {
      const { typeName, location } = this.machines.get(group)!;
      const labels = { [POOL_LABEL]: group };
      this.sandbox.cloud.seedServer({ name: node.id, type: typeName, location, labels });
      return;
    }
    const machine = this.foreignMachine(node);
    const { providerId = machine.providerId } = this.nodePlans.profileOf(machine);
    this.sandbox.fleet.powerOn({ ...machine, providerId });
  }

  /** A machine that the cloud does not know. */
  private foreignMachine(node: NodeDocument): Machine {
    const { id, group, zone = 'elsewhere' } = node;
    const { cpu, mem } = this.roomOf(node);
    return {
      ...{ providerId: id, name: id, shape: foreignShape(cpu, mem), region: zone, zone },
      labels: group === undefined ? {} : { [POOL_LABEL]: group },
      ...{ userData: '', privateIp: '10.99.0.1', publicIp: '' },
    };
  }

  private roomOf({ group, cpu, mem }: NodeDocument): { readonly cpu: number; readonly mem: number } {
    if (group !== undefined) return this.machines.get(group)!.allocatable;
    return { cpu: cpu ?? FOREIGN_CPU, mem: mem ?? FOREIGN_MEM };
  }

  /** What is said of a node beyond its group, once it has settled. */
  private markNode({ id, taints = [], unneeded, cordoned, annotations }: NodeDocument): void {
    const marks = taints.map((taint) => taintWithTimes(taint, this.startMs));
    if (unneeded !== undefined) {
      const value = `${Math.floor((this.startMs - unneeded) / 1_000)}`;
      marks.push({ key: DELETION_CANDIDATE_TAINT, value, effect: 'PreferNoSchedule' });
    }
    this.sandbox.cluster.modify(kinds.NODES, { namespace: '', name: id }, (draft) => {
      const spec = (draft.spec ??= {});
      if (marks.length > 0) spec.taints = [...(spec.taints ?? []), ...marks];
      if (cordoned === true) spec.unschedulable = true;
      if (annotations !== undefined)
        draft.metadata.annotations = { ...draft.metadata.annotations, ...toRecord(annotations) };
    });
  }

  private addPods(pods: readonly PodDocument[]): void {
    this.pods.create(pods);
    for (const pod of pods) {
      if (pod.unschedulable === true) this.sandbox.cluster.setPodUnschedulable(pod.id, namespaceOf(pod));
    }
  }

  private addServers(server: CloudServerDocument): void {
    const machines = server.group === undefined ? undefined : this.machines.get(server.group);
    const type = server.type ?? machines?.typeName;
    const location = server.location ?? machines?.location;
    const pool = server.group === undefined ? {} : { [POOL_LABEL]: server.group };
    for (const name of expandText(server.name)) {
      this.sandbox.cloud.seedServer({
        ...{ name, labels: { ...pool, ...toRecord(server.labels) }, announced: server.joins === true },
        ...(type !== undefined && { type }),
        ...(location !== undefined && { location }),
      });
    }
  }

  private remove({ pods = [], nodes = [], servers = [], owners = [], budgets = [] }: DeletionDocument): void {
    const { cloud, cluster } = this.sandbox;
    for (const name of pods.flatMap(expandText)) this.removePod(name, 'default');
    for (const name of nodes.flatMap(expandText)) cluster.delete(kinds.NODES, name);
    for (const name of servers.flatMap(expandText)) cloud.vanishServer(name);
    for (const owner of owners) this.pods.remove(owner);
    for (const name of budgets) cluster.delete(kinds.DISRUPTION_BUDGETS, name);
  }

  private removePod(name: string, namespace: string): void {
    if (this.sandbox.cluster.pod(name, namespace) !== undefined)
      this.sandbox.cluster.delete(kinds.PODS, name, namespace);
  }

  private silence(name: string): void {
    const machine = this.sandbox.fleet.running().find((one) => one.name === name);
    if (machine === undefined) throw new RangeError(`no machine ${name} runs`);
    this.sandbox.fleet.powerOff(machine);
  }

  private changeNodes({ taint, untaint, label, cordon = [], uncordon = [] }: Step): void {
    for (const [name, taints] of taint ?? []) {
      const added = taints.map((one) => taintWithTimes(one, this.clock.now()));
      this.changeNode(name, (spec) => void (spec.taints = [...(spec.taints ?? []), ...added]));
    }
    for (const [name, keys] of untaint ?? []) {
      this.changeNode(
        name,
        (spec) => void (spec.taints = (spec.taints ?? []).filter(({ key }) => !keys.includes(key))),
      );
    }
    for (const name of cordon) this.changeNode(name, (spec) => void (spec.unschedulable = true));
    for (const name of uncordon)
      this.changeNode(name, (spec) => {
        delete spec.unschedulable;
      });
    for (const [name, labels] of label ?? []) {
      this.sandbox.cluster.modify(kinds.NODES, { namespace: '', name }, (draft) => {
        draft.metadata.labels = { ...draft.metadata.labels, ...toRecord(labels) };
      });
    }
  }

  private changeNode(name: string, change: (spec: NodeSpecDraft) => void): void {
    this.sandbox.cluster.modify(kinds.NODES, { namespace: '', name }, (draft) => change((draft.spec ??= {})));
  }
}

interface NodeSpecDraft {
  taints?: { key: string; value?: string; effect: string; timeAdded?: string }[];
  unschedulable?: boolean;
}
