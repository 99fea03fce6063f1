import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { MachineReference } from '../../../src/application/ports/cloud-provider.js';
import type { Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import { buildNode } from '../../support/builders.js';
import type {
  CloudCapabilities,
  CloudMachine,
  CloudProviderSubject,
  MakeCloudProviderSubject,
} from './cloud-provider-subject.js';

const LOOP_MS = 10_000;
const { signal } = new AbortController();

/**
 * The rules of the CloudProvider port (C1 to C12) and those of `provider-contract` 3 that need no more than the port
 * (I, L, G, T, R, M, X, E, F, S), as tests. Run it with an adapter on its fake cloud.
 */
export function describeCloudProviderContract(
  name: string,
  makeSubject: MakeCloudProviderSubject,
  capabilities: CloudCapabilities,
): void {
  const { noticesWithinMs, machineReadyMs, staleAfterMs } = capabilities;
  const seeded = async (alpha: number, beta = 0) => {
    const subject = await makeSubject();
    const machines = [...subject.cloud.seed('alpha', alpha), ...subject.cloud.seed('beta', beta)];
    await loop(subject, noticesWithinMs);
    return { subject, machines };
  };

  describe(`CloudProvider contract: ${name}`, () => {
    describe('reading', () => {
      // provider-contract I4
      it('C2 keeps ids and order of groups, through refreshes and failures', async () => {
        const subject = await makeSubject();
        expect(groupIds(subject)).toEqual(['alpha', 'beta']);
        subject.cloud.cutApi();
        await loop(subject, staleAfterMs / 2);
        expect(groupIds(subject)).toEqual(['alpha', 'beta']);
      });

      // provider-contract I1, provider-contract I2
      it('C1 answers without a request, and does not know foreign nodes', async () => {
        const { subject, machines } = await seeded(1);
        const [foreign] = subject.cloud.seedForeign(1);
        const before = subject.cloud.calls();
        expect(subject.provider.nodeGroupIdForNode(nodeOf(machines[0]!))).toBe('alpha');
        for (const providerId of [foreign!.providerId, 'other://1', 'strange', '']) {
          expect(subject.provider.nodeGroupIdForNode(buildNode('stranger', { providerId }))).toBeNull();
        }
        subject.provider.nodeGroups();
        subject.provider.template('alpha');
        expect(subject.cloud.calls()).toEqual(before);
      });

      // provider-contract L1
      it('C3 lists machines whose nodes have not joined, with ids equal to provider ids', async () => {
        const { subject, machines } = await seeded(2, 1);
        expect(ids(group(subject, 'alpha').instances)).toEqual(
          machines.slice(0, 2).map((one) => one.providerId),
        );
        expect(group(subject, 'alpha').targetSize).toBe(2);
        expect(group(subject, 'beta').targetSize).toBe(1);
      });

      // provider-contract F1
      it('C4 keeps the last good data while the cloud is away, and throws when they are too old', async () => {
        const { subject } = await seeded(2);
        subject.cloud.cutApi();
        await loop(subject, staleAfterMs / 2);
        expect(group(subject, 'alpha').targetSize).toBe(2);
        await subject.advance(2 * staleAfterMs);
        const error = await rejection(subject.complete(subject.provider.refresh(signal)));
        expect(error).toBeInstanceOf(CloudError);
        subject.cloud.mendApi();
        await loop(subject, noticesWithinMs);
        expect(group(subject, 'alpha').targetSize).toBe(2);
      });

      // provider-contract F2
      it('C4 writes nothing in a refresh', async () => {
        const { subject } = await seeded(2);
        const { writes } = subject.cloud.calls();
        await loop(subject, 10 * noticesWithinMs);
        expect(subject.cloud.calls().writes).toBe(writes);
      });

      // provider-contract F3
      it('notices a machine that somebody else deleted', async () => {
        const { subject, machines } = await seeded(2);
        subject.cloud.removeBehindBack(machines[0]!);
        await loop(subject, noticesWithinMs);
        expect(ids(group(subject, 'alpha').instances)).toEqual([machines[1]!.providerId]);
        expect(group(subject, 'alpha').targetSize).toBe(1);
      });

      // provider-contract X1, provider-contract X2
      it('C9 says gone only when the cloud said so', async () => {
        const { subject, machines } = await seeded(2);
        const existence = (machine: CloudMachine) =>
          subject.complete(subject.provider.existence(nodeOf(machine), signal));
        const [foreign] = subject.cloud.seedForeign(1);
        expect(await existence(machines[0]!)).toBe('exists');
        expect(await existence(foreign!)).toBe('foreign');
        subject.cloud.removeBehindBack(machines[0]!);
        subject.cloud.cutApi();
        expect(await existence(machines[0]!)).not.toBe('gone');
        subject.cloud.mendApi();
        await loop(subject, noticesWithinMs);
        expect(await existence(machines[0]!)).toBe('gone');
      });

      // provider-contract M4, provider-contract M5
      it('C10 has a template for an empty group, the same each time', async () => {
        const subject = await makeSubject();
        const template = subject.provider.template('alpha');
        expect(template.node.allocatable.get('cpu')).toBeGreaterThan(0);
        expect(template.node.allocatable.get('memory')).toBeGreaterThan(0);
        expect(template.node.allocatable.get('memory')).toBeLessThanOrEqual(
          template.node.capacity.get('memory')!,
        );
        expect(template.node.conditions.ready?.status).toBe('True');
        await loop(subject, noticesWithinMs);
        expect(subject.provider.template('alpha')).toEqual(template);
      });
    });

    describe('growth', () => {
      // provider-contract G8
      it.each([0, -1, 6, 0.5])('C5 refuses a delta of %p before any request', async (delta) => {
        const subject = await makeSubject();
        const before = subject.cloud.calls();
        const error = await rejection(
          subject.complete(subject.provider.increaseSize('alpha', delta, signal)),
        );
        expect(error).toMatchObject({ name: 'CloudError', kind: 'configuration' });
        expect(subject.cloud.calls()).toEqual(before);
      });

      // provider-contract G2, provider-contract G7, provider-contract G10, provider-contract L2
      it('C5 orders exactly as many, returns before they run, and shows them from the first moment', async () => {
        const { subject } = await seeded(1);
        const startMs = subject.nowMs();
        const growing = subject.provider.increaseSize('alpha', 3, signal);
        expect(group(subject, 'alpha')).toMatchObject({ targetSize: 4 });
        expect(await subject.complete(growing)).toEqual({ accepted: 3, failure: null });
        expect(subject.nowMs() - startMs).toBeLessThanOrEqual(LOOP_MS);
        for (let passedMs = 0; passedMs < machineReadyMs; passedMs += 1_000) {
          await subject.advance(1_000);
          expect(group(subject, 'alpha').instances).toHaveLength(4);
          expect(group(subject, 'alpha').targetSize).toBe(4);
        }
        await loop(subject, noticesWithinMs);
        expect(states(subject, 'alpha')).toEqual(Array(4).fill('running'));
        const names = subject.cloud.machines().map((machine) => machine.name);
        expect(new Set(names).size).toBe(4);
        expect(names.every((one) => one.length <= 63)).toBe(true);
      });

      // provider-contract E2, provider-contract E3
      it('C5 throws a stock-out when nothing is to be had, and leaves no trace', async () => {
        const subject = await makeSubject();
        subject.cloud.setStock('alpha', 0);
        const error = await rejection(subject.complete(subject.provider.increaseSize('alpha', 2, signal)));
        expect(error).toMatchObject({ name: 'CloudError', kind: 'stock-out' });
        expect((error as CloudError).message).toContain('alpha');
        expect(group(subject, 'alpha')).toMatchObject({ targetSize: 0, instances: [] });
        expect(await subject.complete(subject.provider.increaseSize('beta', 1, signal))).toMatchObject({
          accepted: 1,
        });
      });

      // provider-contract G6
      it('C5 tells a quota from a stock-out', async () => {
        const subject = await makeSubject();
        subject.cloud.exhaustQuota();
        const error = await rejection(subject.complete(subject.provider.increaseSize('alpha', 2, signal)));
        expect(error).toMatchObject({ name: 'CloudError', kind: 'quota' });
      });

      if (capabilities.partialGrowth) {
        // provider-contract G3
        it('C5 says how many were accepted, and why not the others', async () => {
          const subject = await makeSubject();
          subject.cloud.setStock('alpha', 2);
          const result = await subject.complete(subject.provider.increaseSize('alpha', 4, signal));
          expect(result).toMatchObject({ accepted: 2, failure: { kind: 'stock-out' } });
          expect(group(subject, 'alpha').targetSize).toBe(2);
        });
      }

      // provider-contract G4
      it('C5 never buys twice when an answer is lost', async () => {
        const subject = await makeSubject();
        subject.cloud.loseNextOrderReply();
        await subject.complete(subject.provider.increaseSize('alpha', 1, signal)).catch(() => undefined);
        await converge(subject, machineReadyMs + noticesWithinMs);
        expect(subject.cloud.machines()).toHaveLength(1);
        expect(group(subject, 'alpha').targetSize).toBe(1);
      });

      // provider-contract L3
      it('C6 shows a machine that will not come as failed until it is deleted', async () => {
        const subject = await makeSubject();
        subject.cloud.failOrdersLater();
        await subject.complete(subject.provider.increaseSize('alpha', 1, signal));
        await loop(subject, machineReadyMs);
        const [instance] = group(subject, 'alpha').instances;
        expect(instance).toMatchObject({ state: 'creating', failure: { kind: expect.any(String) } });
        expect(group(subject, 'alpha').targetSize).toBe(1);
        const results = await release(subject, 'alpha', [referenceTo(instance!, 'create-error')]);
        expect(results).toMatchObject([{ instanceId: instance!.id, failure: null }]);
        await loop(subject, noticesWithinMs);
        expect(group(subject, 'alpha')).toMatchObject({ targetSize: 0, instances: [] });
        expect(subject.cloud.machines()).toEqual([]);
      });

      // provider-contract G9
      it('C12 grows two groups at the same time', async () => {
        const subject = await makeSubject();
        const growths = ['alpha', 'beta'].map((id) => subject.provider.increaseSize(id, 2, signal));
        expect(await subject.complete(Promise.all(growths))).toEqual([
          { accepted: 2, failure: null },
          { accepted: 2, failure: null },
        ]);
        await loop(subject, machineReadyMs + noticesWithinMs);
        expect([states(subject, 'alpha'), states(subject, 'beta')]).toEqual([
          ['running', 'running'],
          ['running', 'running'],
        ]);
      });
    });

    describe('shrinking', () => {
      // provider-contract T1, provider-contract T2
      it('C8 cancels orders that are not delivered, and refuses to touch machines', async () => {
        const { subject } = await seeded(1);
        subject.cloud.delayOrders(20_000);
        await subject.complete(subject.provider.increaseSize('alpha', 2, signal));
        expect(await rejection(subject.provider.decreaseTargetSize('alpha', 3))).toBeInstanceOf(CloudError);
        expect(group(subject, 'alpha').targetSize).toBe(3);
        await subject.provider.decreaseTargetSize('alpha', 2);
        expect(group(subject, 'alpha').targetSize).toBe(1);
        await converge(subject, machineReadyMs + 60_000);
        expect(subject.cloud.machines()).toHaveLength(1);
      });

      // provider-contract R1, provider-contract R6, provider-contract R7
      it('C7 deletes exactly the named machine, by its id alone, whether its node joined or not', async () => {
        const { subject, machines } = await seeded(3);
        const target = { instanceId: machines[1]!.providerId, name: '', cause: 'scale-down' } as const;
        expect(await release(subject, 'alpha', [target])).toMatchObject([{ failure: null }]);
        expect(group(subject, 'alpha').targetSize).toBe(2);
        await loop(subject, machineReadyMs);
        expect(subject.cloud.machines().map((machine) => machine.name)).toEqual([
          machines[0]!.name,
          machines[2]!.name,
        ]);
      });

      // provider-contract R2
      it('C7 counts a machine that is gone as success', async () => {
        const { subject, machines } = await seeded(2);
        subject.cloud.removeBehindBack(machines[0]!);
        expect(await release(subject, 'alpha', [referenceTo(machines[0]!)])).toMatchObject([
          { failure: null },
        ]);
      });

      // provider-contract R4, provider-contract R8
      it('C7 refuses machines of other groups and of nobody without a write, and deletes the others', async () => {
        const { subject, machines } = await seeded(2, 2);
        const [foreign] = subject.cloud.seedForeign(1);
        const { writes } = subject.cloud.calls();
        const wrong = [referenceTo(machines[2]!), referenceTo(foreign!)];
        for (const result of await release(subject, 'alpha', wrong)) expect(result.failure).not.toBeNull();
        expect(subject.cloud.calls().writes).toBe(writes);
        const mixed = await release(subject, 'alpha', [referenceTo(machines[0]!), referenceTo(foreign!)]);
        expect(mixed.map((result) => result.failure === null)).toEqual([true, false]);
        await loop(subject, machineReadyMs);
        expect(subject.cloud.machines()).toHaveLength(4);
      });

      // provider-contract R5
      it('C7 respects the minimum unless forced', async () => {
        const { subject, machines } = await seeded(0, 1);
        const { writes } = subject.cloud.calls();
        expect(await release(subject, 'beta', [referenceTo(machines[0]!)])).not.toMatchObject([
          { failure: null },
        ]);
        expect(subject.cloud.calls().writes).toBe(writes);
        expect(await release(subject, 'beta', [referenceTo(machines[0]!)], true)).toMatchObject([
          { failure: null },
        ]);
        expect(group(subject, 'beta').targetSize).toBe(0);
      });
    });

    describe('trouble', () => {
      // provider-contract E1, provider-contract E4
      it('C11 throws CloudError only, and leaks no secret into errors, results or logs', async () => {
        const { subject, machines } = await seeded(2);
        subject.cloud.cutApi();
        await subject.advance(2 * staleAfterMs);
        const errors = [
          await rejection(subject.complete(subject.provider.refresh(signal))),
          await rejection(growAndWait(subject)),
          await rejection(subject.complete(subject.provider.increaseSize('no-such-group', 1, signal))),
        ];
        const results = await release(subject, 'alpha', [referenceTo(machines[0]!)]);
        for (const error of errors) expect(error).toBeInstanceOf(CloudError);
        const text = [...errors.map(deepText), JSON.stringify(results), subject.logText()].join('\n');
        for (const secret of subject.secrets) expect(text).not.toContain(secret);
      });

      it('writes nothing after cleanup', async () => {
        const { subject } = await seeded(1);
        await subject.complete(subject.provider.increaseSize('alpha', 2, signal));
        await subject.complete(subject.provider.cleanup());
        const { writes } = subject.cloud.calls();
        await rejection(subject.complete(subject.provider.increaseSize('alpha', 1, signal)));
        await subject.advance(10 * machineReadyMs);
        expect(subject.cloud.calls().writes).toBe(writes);
      });

      // provider-contract S1
      it.each([0, 1, 2, 3, 4, 5, 6, 8, 10, 15])(
        'leaves no machine without an owner when the process dies after %p requests of a growth',
        async (requests) => {
          const subject = await makeSubject();
          const crash = subject.crashAfter(requests);
          await subject.complete(subject.provider.increaseSize('alpha', 3, signal)).catch(() => undefined);
          await subject.advance(machineReadyMs);
          const next = await crash.restart();
          await converge(next, 4 * machineReadyMs + 15 * 60_000);
          const machines = next.cloud.machines();
          expect(machines.every((machine) => machine.isRunning && machine.groupId === 'alpha')).toBe(true);
          expect(ids(group(next, 'alpha').instances).sort()).toEqual(
            machines.map((machine) => machine.providerId).sort(),
          );
          expect(next.cloud.brokenInvariants()).toEqual([]);
        },
      );
    });
  });
}

function group(subject: CloudProviderSubject, id: string): NodeGroup {
  const found = subject.provider.nodeGroups().find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`the subject has no group ${id}`);
  return found;
}

function groupIds(subject: CloudProviderSubject): readonly string[] {
  return subject.provider.nodeGroups().map((one) => one.id);
}

function ids(instances: readonly Instance[]): string[] {
  return instances.map((instance) => instance.id);
}

function states(subject: CloudProviderSubject, groupId: string): readonly string[] {
  return group(subject, groupId).instances.map((instance) => instance.state);
}

/** Refreshes as the engine's loop does; outages don't end it. */
async function loop(subject: CloudProviderSubject, durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += LOOP_MS) {
    await subject.advance(LOOP_MS);
    await subject.complete(subject.provider.refresh(signal)).catch(() => undefined);
  }
}

/** What the engine does besides: it asks about all nodes and collects failed machines. */
async function converge(subject: CloudProviderSubject, durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += LOOP_MS) {
    await loop(subject, LOOP_MS);
    subject.provider.nodeGroupIdForNode(buildNode('control-plane', { providerId: 'other://control-plane' }));
    for (const machine of subject.cloud.machines()) {
      if (machine.isRunning) subject.provider.nodeGroupIdForNode(nodeOf(machine));
    }
    for (const { id, instances } of subject.provider.nodeGroups()) {
      const failed = instances.filter((instance) => instance.failure !== null);
      if (failed.length === 0) continue;
      await release(
        subject,
        id,
        failed.map((instance) => referenceTo(instance, 'create-error')),
      );
    }
  }
}

function nodeOf(machine: CloudMachine): Node {
  return buildNode(machine.name, { providerId: machine.providerId });
}

function referenceTo(
  machine: Instance | CloudMachine,
  cause: MachineReference['cause'] = 'scale-down',
): MachineReference {
  return { instanceId: 'id' in machine ? machine.id : machine.providerId, name: machine.name, cause };
}

function release(
  subject: CloudProviderSubject,
  groupId: string,
  machines: readonly MachineReference[],
  force = false,
) {
  return subject.complete(subject.provider.deleteInstances(groupId, machines, { force, signal }));
}

/** A growth that can't be answered: either it throws, or its order fails in the background. */
async function growAndWait(subject: CloudProviderSubject): Promise<void> {
  await subject.complete(subject.provider.increaseSize('alpha', 1, signal));
  await subject.advance(10 * 60_000);
  const failure = group(subject, 'alpha').instances.find((instance) => instance.failure !== null)?.failure;
  if (failure != null) throw new CloudError(failure);
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}

/** Message, stack and causes. */
function deepText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}\n${JSON.stringify(error)}\n${deepText(error.cause ?? '')}`;
}
