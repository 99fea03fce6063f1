import { HOSTNAME_LABEL } from '../../../../src/domain/kubernetes/labels.js';
import type { Node } from '../../../../src/domain/kubernetes/node.js';
import type { Bench } from '../bench.js';
import type { CloudCapabilities } from '../capabilities.js';
import type { RecordedNode } from '../cloud-provider-subject.js';
import type { RuleGroup } from '../contract-rule.js';
import type { Scene } from '../scene.js';

/** A template may promise less than a real node has, but not much less: pods would wait for a machine that has room. */
const SHARE_MIN = 0.98;

export const TEMPLATE: RuleGroup = {
  title: 'Template',
  rules: [
    {
      id: 'M1',
      sentence: 'Labels and taints of a template are those of a real node of the group',
      why: 'U003, U021, U051, hetzner B22, utho B40: selectors did not match, and empty groups never grew',
      mandatory: false,
      liveSafe: true,
      cost: 2,
      port: ['C10'],
      check: labelsAndTaints,
    },
    {
      id: 'M2',
      sentence: 'A template promises no more than a real node has, and at most 2 % less CPU and memory',
      why: 'U093, hetzner B23: a pod that fits the template did not fit the node, and more was bought without end',
      mandatory: false,
      liveSafe: true,
      cost: 2,
      port: ['C10'],
      check: amounts,
    },
    {
      id: 'M3',
      sentence: 'A template says how many volumes the machine takes, by driver',
      why: 'hetzner B24: more volumes were planned on a new node than it takes',
      mandatory: false,
      liveSafe: true,
      cost: 2,
      port: ['C10'],
      needs: ['attach-limits'],
      check: attachLimits,
    },
    {
      id: 'M4',
      sentence: 'There is a template for a group without machines, ready and complete',
      why: 'U003, U053, utho B43: a group without a machine could never grow',
      mandatory: false,
      liveSafe: true,
      cost: 0,
      port: ['C10'],
      check: emptyGroup,
    },
    {
      id: 'M5',
      sentence: 'A template is the same each time, without a request',
      why: 'U003: the answer depended on the memory of the process and was another one after a restart',
      mandatory: false,
      liveSafe: true,
      cost: 0,
      port: ['C1', 'C10'],
      check: sameEachTime,
    },
  ],
};

async function labelsAndTaints(bench: Bench): Promise<void> {
  await forEachGroup(bench, (template, real, { labelsOfOneNode }) => {
    const ofOneNode = [HOSTNAME_LABEL, ...labelsOfOneNode];
    const common = ([key]: [string, string]): boolean => !ofOneNode.includes(key);
    expect([...template.labels].filter(common).sort()).toEqual(
      Object.entries(real.labels).filter(common).sort(),
    );
    expect(template.taints).toEqual(real.taints);
  });
}

async function amounts(bench: Bench): Promise<void> {
  await forEachGroup(bench, ({ allocatable, capacity }, real) => {
    for (const [resource, amount] of Object.entries(real.allocatable)) {
      const promised = allocatable.get(resource) ?? 0;
      expect({ resource, isTooMuch: promised > amount }).toEqual({ resource, isTooMuch: false });
      expect(promised).toBeLessThanOrEqual(capacity.get(resource) ?? 0);
    }
    for (const resource of ['cpu', 'memory']) {
      const share = (allocatable.get(resource) ?? 0) / real.allocatable[resource]!;
      expect({ resource, share, isEnough: share >= SHARE_MIN }).toEqual({ resource, share, isEnough: true });
    }
  });
}

async function attachLimits(bench: Bench): Promise<void> {
  await forEachGroup(bench, (template, real) => {
    expect(Object.entries(real.volumeLimits)).not.toEqual([]);
    expect(Object.fromEntries(template.volumeLimits ?? [])).toEqual(real.volumeLimits);
  });
}

async function emptyGroup(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  for (const groupId of scene.groupIds()) {
    const { node } = scene.provider.template(groupId);
    expect(node.allocatable.get('cpu')).toBeGreaterThan(0);
    expect(node.allocatable.get('memory')).toBeGreaterThan(0);
    expect(node.allocatable.get('pods')).toBeGreaterThan(0);
    expect(node.conditions.ready?.status).toBe('True');
  }
}

async function sameEachTime(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  const before = scene.wire.calls();
  const template = scene.provider.template('alpha');
  expect(scene.provider.template('alpha')).toEqual(template);
  expect(scene.wire.calls()).toEqual(before);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(scene.provider.template('alpha')).toEqual(template);
  const twin = await bench.twin(scene);
  expect(twin.provider.template('alpha')).toEqual(template);
}

async function forEachGroup(
  bench: Bench,
  compare: (template: Node, real: RecordedNode, capabilities: CloudCapabilities) => void,
): Promise<void> {
  const scene: Scene = await bench.scene({ alpha: 1, beta: 1 });
  for (const machine of scene.seeded) {
    const { node } = scene.provider.template(machine.groupId!);
    compare(node, scene.cloud.realNode(machine), bench.capabilities);
  }
}
