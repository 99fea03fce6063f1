import type { DecisionPattern } from './format/decision.js';
import type { Expectations } from './format/expect-shape.js';
import { expandCopies } from './format/ranges.js';
import type { Reading } from './format/reading.js';
import type { CreationDocument, StoryDocument } from './format/story-shape.js';
import type { CloudDocument } from './format/cloud-shape.js';
import type { Story } from './story.js';

/** What the shape alone can't say: names that must be known, values that must fit together. */
export function checkStory(story: Story, written: StoryDocument, reading: Reading): void {
  new StoryCheck(story, reading).check(written);
}

class StoryCheck {
  private readonly groupIds: ReadonlySet<string>;
  private readonly nodeIds: Set<string>;

  constructor(
    story: Story,
    private readonly reading: Reading,
  ) {
    this.groupIds = new Set(story.world.groups.map(({ id }) => id));
    this.nodeIds = new Set(story.world.nodes.map(({ id }) => id));
  }

  check({ world, steps = [], until, expect }: StoryDocument): void {
    this.checkGroups(world.groups);
    this.checkAdditions(world, 'world');
    this.checkCloud(world.cloud, 'world.cloud');
    let lastMs = 0;
    for (const [index, step] of steps.entries()) {
      const field = `steps[${index}]`;
      if (step.at < lastMs)
        this.complain(`${field}.at`, 'it is before the step above', 'order steps by time');
      lastMs = step.at;
      if (until !== undefined && step.at > until) {
        this.complain(`${field}.at`, 'it is after the end of the story', 'raise until');
      }
      if (step.create !== undefined) this.checkAdditions(step.create, `${field}.create`);
      this.checkCloud(step.cloud, `${field}.cloud`);
      this.checkGroupNames([...(step.groups ?? new Map<string, unknown>()).keys()], `${field}.groups`);
      if (step.expect !== undefined) this.checkExpectations(step.expect, `${field}.expect`);
    }
    this.checkExpectations(expect, 'expect');
  }

  private checkGroups(groups: StoryDocument['world']['groups']): void {
    const seen = new Set<string>();
    for (const [index, group] of groups.entries()) {
      const field = `world.groups[${index}]`;
      const isMeasured = group.cpu !== undefined && group.mem !== undefined;
      if (isMeasured === (group.type !== undefined)) {
        const remedy = 'write cpu and mem, or the type of a machine that the cloud sells';
        this.complain(field, 'a group has either cpu and mem, or a type', remedy);
      }
      if ((group.min ?? 0) > group.max) this.complain(`${field}.min`, 'it is above max', 'lower min');
      for (const { id } of expandCopies(group)) {
        if (seen.has(id)) this.complain(`${field}.id`, `there are two groups ${id}`, 'rename one');
        seen.add(id);
      }
    }
  }

  private checkAdditions({ nodes = [], pods = [] }: CreationDocument, field: string): void {
    const seen = new Set<string>();
    for (const [index, node] of nodes.entries()) {
      const place = `${field}.nodes[${index}]`;
      for (const { id, group } of expandCopies(node)) {
        if (seen.has(id)) this.complain(`${place}.id`, `there are two nodes ${id}`, 'rename one');
        seen.add(id);
        this.nodeIds.add(id);
        if (group !== undefined) this.checkGroupNames([group], `${place}.group`);
      }
    }
    const empty = new Set(
      nodes
        .filter((node) => node.empty === true)
        .flatMap((node) => expandCopies(node))
        .map(({ id }) => id),
    );
    for (const [index, pod] of pods.entries()) {
      const place = `${field}.pods[${index}]`;
      for (const { on } of expandCopies(pod)) {
        if (on === undefined) continue;
        if (!this.nodeIds.has(on))
          this.complain(`${place}.on`, `there is no node ${on}`, 'list it under nodes');
        if (empty.has(on))
          this.complain(`${place}.on`, `node ${on} is said to be empty`, 'drop empty or the pod');
      }
      this.checkContent(pod, place);
    }
  }

  private checkContent(pod: { readonly containers?: unknown; readonly cpu?: number }, place: string): void {
    if (pod.containers !== undefined && pod.cpu !== undefined) {
      this.complain(place, 'a pod has either containers, or cpu and mem', 'drop one of them');
    }
  }

  private checkCloud(cloud: CloudDocument | undefined, field: string): void {
    if (cloud === undefined) return;
    const shelves = [...(cloud.stock ?? new Map<string, unknown>()).keys()];
    this.checkGroupNames(
      shelves.filter((key) => !key.includes('@')),
      `${field}.stock`,
    );
    this.checkGroupNames([...(cloud.boots ?? new Map<string, unknown>()).keys()], `${field}.boots`);
    for (const [index, { group }] of (cloud.answers ?? []).entries()) {
      if (group !== undefined) this.checkGroupNames([group], `${field}.answers[${index}].group`);
    }
  }

  private checkExpectations({ decisions = [], among = [], never = [] }: Expectations, field: string): void {
    for (const [name, patterns] of Object.entries({ decisions, among, never })) {
      for (const [index, pattern] of patterns.entries()) {
        const place = `${field}.${name}[${index}]`;
        this.checkGroupNames(groupsOf(pattern), place);
        if (pattern.kind === 'none' && (name !== 'decisions' || patterns.length > 1)) {
          this.complain(place, 'NONE stands alone, under decisions', 'write decisions: [NONE]');
        }
      }
    }
  }

  private checkGroupNames(names: readonly string[], field: string): void {
    for (const name of names) {
      if (this.groupIds.has(name)) continue;
      const known = [...this.groupIds].slice(0, 10).join(', ');
      this.complain(field, `there is no group ${name}`, `name one of ${known}`);
    }
  }

  private complain(field: string, problem: string, remedy: string): void {
    this.reading.complainOf(field, { problem, remedy });
  }
}

function groupsOf(pattern: DecisionPattern): readonly string[] {
  return pattern.kind === 'add' || pattern.kind === 'remove-some' ? [pattern.group] : [];
}
