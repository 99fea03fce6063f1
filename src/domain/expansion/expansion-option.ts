import type { Resources } from '../kubernetes/resources.js';
import type { NodeTemplate } from '../node-group/node-group.js';

/** 'Add so many nodes to this group and these pods fit.' */
export interface ExpansionOption {
  readonly groupId: string;
  /** Groups that may share the growth. */
  readonly similarGroupIds: readonly string[];
  /** At least one. */
  readonly nodeCount: number;
  readonly template: NodeTemplate;
  /** Pods of each pending class that find a place, by index into the pending classes. */
  readonly placed: readonly number[];
  /** Sum of `placed`, at least one. */
  readonly podCount: number;
  /** Requests of these pods together. */
  readonly requests: Resources;
  /** Price of one machine for an hour, or null where the provider names none. */
  readonly pricePerHour: number | null;
}
