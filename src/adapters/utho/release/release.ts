import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { MachineReference, ReleaseResult } from '../../../application/ports/cloud-provider.js';
import type { ClusterReader } from '../../../application/ports/cluster-reader.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import { toFailure } from '../client/cloud-errors.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { Mutation, Mutations } from '../mutations.js';
import { refused } from '../refusal.js';
import type { Shrink } from '../shrink/shrink.js';
import { KubernetesNodes } from '../state/kubernetes-nodes.js';
import type { Pool } from '../state/pool.js';
import { admit } from './admit.js';
import type { Request } from './admit.js';
import { identifyMachine } from './identify-machine.js';
import type { Identified } from './identify-machine.js';
import { judgeRequest } from './judge-request.js';
import type { LastWorker } from './last-worker.js';
import type { TargetedDeletion } from './targeted-deletion.js';

export interface ReleaseParts {
  readonly mutations: Mutations;
  readonly deletion: TargetedDeletion;
  readonly shrink: Shrink;
  readonly lastWorker: LastWorker;
  readonly reader: ClusterReader;
  readonly configuration: Pick<UthoConfiguration, 'allowScaleToZero'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type Outcomes = ReadonlyMap<string, CloudFailure | null>;

/** Deletes exactly the named machines of a pool; what must not go is refused, and the others go all the same. */
export class Release {
  constructor(private readonly parts: ReleaseParts) {}

  async delete(
    pool: Pool,
    machines: readonly MachineReference[],
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]> {
    this.debug(`DeleteNodes: requested deletion of ${machines.length} nodes from pool ${pool.id}`);
    const nodes = KubernetesNodes.of(this.parts.reader);
    const identified = machines.map((machine) => identifyMachine(machine, pool.snapshot, nodes));
    const { frozen } = pool.snapshot;
    try {
      if (frozen !== null) throw refused('frozen', `node pool ${pool.id} is not changed: ${frozen}`);
      if (identified.every(({ kind }) => kind === 'refused')) return resultsOf(machines, identified, null);
      return await this.parts.mutations.run(pool, [options.signal], (mutation) =>
        this.release(mutation, machines, identified, options.force),
      );
    } catch (error) {
      return resultsOf(machines, identified, toFailure(error, `node pool ${pool.id}: deletion`));
    }
  }

  private async release(
    mutation: Mutation,
    machines: readonly MachineReference[],
    identified: readonly Identified[],
    force: boolean,
  ): Promise<readonly ReleaseResult[]> {
    const { pool } = mutation;
    const { read, fresh: found } = await this.parts.mutations.freshPool(mutation);
    const context = { read, fresh: found, hasSlot: (id: string) => pool.hasSlot(id) };
    const judged = machines.map((machine, index) => ({
      machine,
      judged: judgeRequest(machine, identified[index]!, context),
    }));
    const fresh = await this.parts.lastWorker.replace(mutation, found, judged);
    const requests = admit(judged, {
      poolId: pool.id,
      count: fresh.count,
      minSize: fresh.minSize,
      force,
      allowScaleToZero: this.parts.configuration.allowScaleToZero,
      block: pool.releaseBlock,
    });
    // Orders first: a deletion changes the workers, and with them what is known of the orders.
    const orders = await this.withdrawOrders(mutation, requests, force ? 0 : fresh.minSize);
    const workers = await this.deleteWorkers(mutation, requests);
    return requests.map((request) => resultOf(request, orders, workers));
  }

  private async withdrawOrders(
    mutation: Mutation,
    requests: readonly Request[],
    minSize: number,
  ): Promise<Outcomes> {
    const ids = new Set(requests.flatMap(({ judged }) => (judged.kind === 'slot' ? [judged.slotId] : [])));
    if (ids.size === 0) return new Map();
    let failure: CloudFailure | null = null;
    try {
      await this.parts.shrink.withdrawSlots(mutation, ids, minSize);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      failure = error.toFailure();
    }
    return new Map([...ids].map((id) => [id, failure]));
  }

  private async deleteWorkers(mutation: Mutation, requests: readonly Request[]): Promise<Outcomes> {
    const ids = new Set<string>();
    for (const { machine, judged } of requests) {
      if (judged.kind !== 'worker') continue;
      const { id } = judged.worker.record;
      ids.add(id);
      this.debug(`DeleteNodes: resolved nodeID=${id} for node "${machine.name}" in pool ${mutation.pool.id}`);
    }
    return this.parts.deletion.delete(mutation, [...ids]);
  }

  private debug(message: string): void {
    this.parts.telemetry.logger.debug('utho-delete', message);
  }
}

function resultOf({ machine, judged }: Request, orders: Outcomes, workers: Outcomes): ReleaseResult {
  const { instanceId } = machine;
  switch (judged.kind) {
    case 'refused':
      return { instanceId, failure: judged.failure };
    case 'gone':
      return { instanceId, failure: null };
    case 'slot':
      return { instanceId, failure: orders.get(judged.slotId) ?? null };
    case 'worker':
      return { instanceId, failure: workers.get(judged.worker.record.id) ?? null };
  }
}

/** One failure for all that were not refused before. */
function resultsOf(
  machines: readonly MachineReference[],
  identified: readonly Identified[],
  failure: CloudFailure | null,
): readonly ReleaseResult[] {
  return machines.map(({ instanceId }, index) => {
    const one = identified[index];
    return { instanceId, failure: one?.kind === 'refused' ? one.failure : failure };
  });
}
