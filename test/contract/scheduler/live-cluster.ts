import type { ClaimObject, PodObject } from '../../reference/oracle/api-objects.js';
import { findNamed, nameOf, namespaceOf } from '../../reference/oracle/cluster.js';
import type { Cluster } from '../../reference/oracle/cluster.js';
import { NAMESPACES } from '../../simulation/scheduling-oracle/features/draft.js';
import type { Scenario } from '../../simulation/scheduling-oracle/scenario.js';
import { MERGE } from './api-client.js';
import type { ApiClient, Json } from './api-client.js';
import { collectionOf, KINDS, pathOf } from './api-paths.js';
import {
  attachmentManifest,
  capacityManifest,
  claimManifest,
  csiDriverManifest,
  csiNodeManifest,
  namespaceManifest,
  nodeManifest,
  owners,
  podManifest,
  runtimeClassManifest,
  storageClassManifest,
  volumeManifest,
} from './manifests.js';
import type { TolerantWriter } from './refusals.js';
import { ENFORCING_PROFILE, PLAIN_PROFILE } from './scheduler-process.js';

const AT_ONCE = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
/** So long that a pod which is being deleted stays for as long as it is of interest. */
const GRACEFULLY = { ...AT_ONCE, gracePeriodSeconds: 3_600 };
const GATE = { name: 'example.com/claims' };

interface Wire {
  readonly client: ApiClient;
  readonly writer: TolerantWriter;
}

/** A generated cluster on a real API server, and what the server made of it. */
export class LiveCluster {
  /** As the server answered last, by path. */
  private readonly stored = new Map<string, Json>();
  private namespaces: readonly Json[] = [];

  constructor(
    private readonly wire: Wire,
    private readonly scenario: Scenario,
    /** Unlike that of any other cluster on this server. */
    private readonly serial: number,
  ) {}

  /** Once for each server. */
  static async prepare(client: ApiClient): Promise<void> {
    for (const name of [...NAMESPACES, 'kube-system']) {
      const manifest = namespaceManifest(name);
      // Some are there already.
      await client.send('POST', collectionOf(manifest), manifest);
    }
  }

  /** All but pods. */
  async build(): Promise<void> {
    const { nodes, ...rest } = this.scenario.cluster;
    const csiNodes = rest.csiNodes.filter((each) => findNamed(nodes, nameOf(each)) !== undefined);
    const manifests = [
      ...nodes.map(nodeManifest),
      ...rest.storageClasses.map(storageClassManifest),
      ...csiNodes.map(csiNodeManifest),
      ...rest.csiDrivers.map(csiDriverManifest),
      ...rest.storageCapacities.map(capacityManifest),
      ...rest.volumeAttachments.map(attachmentManifest),
    ];
    await Promise.all([
      this.labelNamespaces(),
      this.buildVolumes(),
      ...manifests.map((each) => this.store(each)),
    ]);
  }

  get nodeNames(): readonly string[] {
    return this.objects(KINDS.nodes).map(nameOf);
  }

  /** Everything as the server holds it, in the oracle's form. */
  asCluster(): Cluster {
    const lists = Object.fromEntries(
      Object.entries(KINDS).map(([list, kind]) => [list, this.objects(kind)]),
    ) as unknown as Omit<Cluster, 'placements'>;
    const placements = this.objects('Pod')
      .map((pod) => ({ pod: pod, nodeName: (pod['spec'].nodeName ?? '') as string }))
      .filter(({ nodeName }) => nodeName !== '');
    return { ...lists, namespaces: this.namespaces, placements };
  }

  /** A pod that runs there, unless it is refused. */
  async addRunning(name: string, nodeName: string): Promise<void> {
    const pod = this.generated(name);
    const created = await this.createPod(pod, { nodeName });
    if (created === null) return;
    await this.storeClaimsOf(pod, created);
    if (pod.status != null && Object.keys(pod.status).length > 0) {
      await this.patchStatus(created, { status: pod.status });
    }
    if (pod.metadata?.deletionTimestamp != null) {
      this.keep(await this.wire.client.must('DELETE', pathOf(created), GRACEFULLY));
    }
  }

  /** A pod that waits for the scheduler, as stored; null: refused. */
  async addPending(name: string): Promise<Json | null> {
    const pod = this.generated(name);
    const hasOwnClaims = (pod.spec?.volumes ?? []).some(({ ephemeral }) => ephemeral != null);
    // Claims that name it as their owner need its UID before it is judged.
    const gates = hasOwnClaims ? { schedulingGates: [GATE] } : {};
    const created = await this.createPod(pod, { nodeName: null, ...gates });
    if (created === null || !hasOwnClaims) return created;
    await this.storeClaimsOf(pod, created);
    return this.patch(created, { spec: { schedulingGates: null } });
  }

  async bind(pod: Json, nodeName: string): Promise<void> {
    const { client } = this.wire;
    await client.must('POST', `${pathOf(pod)}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod['metadata'].name },
      target: { kind: 'Node', name: nodeName },
    });
    this.keep(await client.must('GET', pathOf(pod)));
  }

  async remove(object: Json): Promise<void> {
    const path = pathOf(object);
    const { finalizers, deletionTimestamp } = object['metadata'] as Json;
    const isProtected = finalizers !== undefined;
    if (isProtected) await this.wire.client.must('PATCH', path, { metadata: { finalizers: null } }, MERGE);
    // One that is being deleted is gone with its last finalizer.
    if (!isProtected || deletionTimestamp === undefined) await this.wire.client.must('DELETE', path, AT_ONCE);
    this.stored.delete(path);
  }

  /** Pods first: the scheduler keeps a node that goes before its pods. */
  async clear(): Promise<void> {
    await Promise.all(this.objects('Pod').map((pod) => this.remove(pod)));
    await Promise.all([...this.stored.values()].map((object) => this.remove(object)));
  }

  private generated(name: string): PodObject {
    return findNamed(this.scenario.pods, name)!;
  }

  private objects(kind: string): Json[] {
    return [...this.stored.values()].filter((each) => each['kind'] === kind);
  }

  private async labelNamespaces(): Promise<void> {
    this.namespaces = await Promise.all(
      NAMESPACES.map((name) => {
        const labels = findNamed(this.scenario.cluster.namespaces, name)?.metadata?.labels;
        const patch = { metadata: { labels: { team: null, ...labels } } };
        return this.wire.client.must('PATCH', pathOf(namespaceManifest(name)), patch, MERGE);
      }),
    );
  }

  /** Claims that pods share, then volumes, which may name the claims' UIDs. */
  private async buildVolumes(): Promise<void> {
    const { claims, persistentVolumes } = this.scenario.cluster;
    const shared = claims.filter((claim) => !isOwned(claim) && this.isUsed(claim));
    const uids = new Map<string, string>();
    await Promise.all(
      shared.map(async (claim) => {
        const stored = await this.storeClaim(claim);
        if (stored !== null) uids.set(claim.metadata?.uid ?? '', stored['metadata'].uid as string);
      }),
    );
    await Promise.all(
      persistentVolumes.map(async (volume) => {
        const stored = await this.store(volumeManifest(volume, uids));
        if (stored !== null) await this.settle(stored, volume);
      }),
    );
  }

  private isUsed(claim: ClaimObject): boolean {
    return this.scenario.pods.some(
      (pod) =>
        namespaceOf(pod) === namespaceOf(claim) &&
        (pod.spec?.volumes ?? []).some((each) => each.persistentVolumeClaim?.claimName === nameOf(claim)),
    );
  }

  /** Those of its generic ephemeral volumes: made, or told that the pod is another one now. */
  private async storeClaimsOf(pod: PodObject, created: Json): Promise<void> {
    const owner = { generatedUid: pod.metadata?.uid, metadata: created['metadata'] as Json };
    const own = this.scenario.cluster.claims.filter(
      (claim) =>
        isOwned(claim) &&
        namespaceOf(claim) === namespaceOf(pod) &&
        nameOf(claim).startsWith(`${nameOf(pod)}-`),
    );
    for (const claim of own) {
      const present = this.stored.get(pathOf(claimManifest(claim)));
      const ownerReferences = owners(claim.metadata?.ownerReferences ?? [], owner);
      if (present === undefined) await this.storeClaim(claim, owner);
      else await this.patch(present, { metadata: { ownerReferences } });
    }
  }

  private async storeClaim(claim: ClaimObject, owner?: Json): Promise<Json | null> {
    const stored = await this.store(claimManifest(claim, owner));
    if (stored !== null) await this.settle(stored, claim);
    return stored;
  }

  /** Phase, and deletion: the server protects claims and volumes, so that one that is being deleted stays. */
  private async settle(
    stored: Json,
    { metadata, status }: Pick<ClaimObject, 'metadata' | 'status'>,
  ): Promise<void> {
    const isDeleted = metadata?.deletionTimestamp != null;
    const unprotected = isDeleted ? {} : { metadata: { finalizers: null } };
    await this.patchStatus(stored, { status: status ?? {}, ...unprotected });
    if (isDeleted) this.keep(await this.wire.client.must('DELETE', pathOf(stored), AT_ONCE));
  }

  private async createPod(pod: PodObject, spec: Json): Promise<Json | null> {
    const isEnforcing = this.scenario.options.addedAffinity !== null;
    const schedulerName = isEnforcing ? ENFORCING_PROFILE : PLAIN_PROFILE;
    const runtimeClassName = await this.runtimeClassOf(pod);
    const manifest = podManifest(pod);
    return this.store({
      ...manifest,
      spec: { ...manifest['spec'], schedulerName, runtimeClassName, ...spec },
    });
  }

  /** Its overhead, or none. */
  private async runtimeClassOf(pod: PodObject): Promise<string | null> {
    const overhead = pod.spec?.overhead;
    if (overhead == null) return null;
    const name = `overhead-${this.serial}-${nameOf(pod)}`;
    const manifest = runtimeClassManifest(name, overhead);
    const stored = this.stored.get(pathOf(manifest)) ?? (await this.store(manifest));
    return stored === null ? null : name;
  }

  private async store(manifest: Json): Promise<Json | null> {
    const stored = await this.wire.writer.create(collectionOf(manifest), manifest);
    return stored === null ? null : this.keep(stored);
  }

  private async patch(object: Json, patch: Json): Promise<Json> {
    return this.keep(await this.wire.client.must('PATCH', pathOf(object), patch, MERGE));
  }

  private async patchStatus(object: Json, patch: Json): Promise<void> {
    const kind = `${object['kind'] as string} status`;
    const patched = await this.wire.writer.patch(`${pathOf(object)}/status`, patch, kind);
    if (patched !== null) this.keep(patched);
  }

  private keep(object: Json): Json {
    // Who wrote which field is a third of it, and of no interest.
    Reflect.deleteProperty(object['metadata'] as Json, 'managedFields');
    this.stored.set(pathOf(object), object);
    return object;
  }
}

/** Of a generic ephemeral volume. */
function isOwned(claim: ClaimObject): boolean {
  return claim.metadata?.ownerReferences != null;
}
