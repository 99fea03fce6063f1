import { ClusterWriteError } from '../../../application/ports/cluster-writer.js';
import type { NodePatch } from '../../../application/ports/cluster-writer.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import type { ApiRequest, ApiTransport } from '../connection/api-transport.js';
import { requestJson } from '../connection/request-json.js';
import type { NodeObject } from '../projection/api-objects.js';
import { projectNode } from '../projection/project-node.js';
import { SharedRecords } from '../projection/projection.js';
import { patchedNode } from './node-patch.js';
import { hasStatus, writeFailure } from './write-failure.js';

/** `scale-down` 8.3. */
const CONFLICT_PAUSE_MS = 750;
const CONFLICT_DEADLINE_MS = 5_000;

/**
 * Reads and updates single nodes as plain JSON. By GET and PUT, not PATCH: the chart's role grants `update` on nodes
 * and no `patch` (`interface` 8.1). And not through client-node's models: they drop fields that they don't know,
 * which a PUT would then delete from the node.
 */
export class NodeWriter {
  private readonly shared = new SharedRecords();

  constructor(
    private readonly api: ApiTransport,
    private readonly clock: Clock,
  ) {}

  /** @throws ClusterWriteError */
  async read(name: string, signal?: AbortSignal): Promise<Node | null> {
    try {
      return projectNode(await this.get(name, signal), this.shared);
    } catch (error) {
      if (hasStatus(error, 404)) return null;
      throw writeFailure(error, `reading node ${name}`);
    }
  }

  /** @throws ClusterWriteError */
  async patch(name: string, patch: NodePatch, signal?: AbortSignal): Promise<boolean> {
    const deadlineMs = this.clock.now() + CONFLICT_DEADLINE_MS;
    try {
      for (;;) {
        const node = patchedNode(await this.get(name, signal), patch);
        if (node === null) return false;
        if (await this.put(name, node, signal)) return true;
        if (this.clock.now() + CONFLICT_PAUSE_MS > deadlineMs) break;
        await this.clock.sleep(CONFLICT_PAUSE_MS, signal);
      }
    } catch (error) {
      throw writeFailure(error, `updating node ${name}`);
    }
    throw new ClusterWriteError('conflict', `updating node ${name}: others kept changing it for 5 s`);
  }

  /** False on a conflict: the resource version in the object is no longer the newest. */
  private async put(name: string, node: NodeObject, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.send({ method: 'PUT', path: pathOf(name), body: JSON.stringify(node) }, signal);
      return true;
    } catch (error) {
      if (hasStatus(error, 409)) return false;
      throw error;
    }
  }

  private async get(name: string, signal: AbortSignal | undefined): Promise<NodeObject> {
    return (await this.send({ method: 'GET', path: pathOf(name) }, signal)) as NodeObject;
  }

  private send(request: ApiRequest, signal: AbortSignal | undefined): Promise<unknown> {
    return requestJson(this.api, { ...request, ...(signal && { signal }) });
  }
}

function pathOf(name: string): string {
  return `/api/v1/nodes/${encodeURIComponent(name)}`;
}
