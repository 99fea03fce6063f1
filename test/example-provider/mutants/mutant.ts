import type { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { CloudFailure, Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/index.js';
import type { RuleId } from '../../contract/cloud-provider/contract-rule.js';
import type { Twist } from '../tinycloud-subject.js';

/** Tinycloud's provider with one fault. */
export interface Mutant {
  /** The rule that it breaks. */
  readonly rule: RuleId;
  /** What it does wrong. */
  readonly fault: string;
  readonly twist: Twist;
}

/** The provider with some methods replaced. */
export function override(provider: CloudProvider, methods: Partial<CloudProvider>): CloudProvider {
  return new Proxy(provider, {
    get: (target, property) => {
      const own: unknown = Reflect.get(methods, property);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A fault in some methods. */
export function method(make: (provider: CloudProvider) => Partial<CloudProvider>): Twist {
  return { provider: (provider) => override(provider, make(provider)) };
}

/** A fault in what is told of groups. */
export function groups(change: (group: NodeGroup) => NodeGroup): Twist {
  return method((provider) => ({ nodeGroups: () => provider.nodeGroups().map(change) }));
}

/** A fault in what is told of instances; the target follows their number. */
export function instances(change: (instance: Instance) => Instance | null): Twist {
  return groups((group) => {
    const shown = group.instances.flatMap((instance) => change(instance) ?? []);
    const hidden = group.instances.length - shown.length;
    return { ...group, instances: shown, targetSize: group.targetSize - hidden };
  });
}

/** A fault in why growths are refused. */
export function growthFailure(change: (failure: CloudFailure) => CloudFailure): Twist {
  return method((provider) => ({
    increaseSize: async (...growth) => {
      try {
        const result = await provider.increaseSize(...growth);
        return { ...result, failure: result.failure === null ? null : change(result.failure) };
      } catch (error) {
        throw error instanceof CloudError ? new CloudError(change(error.toFailure())) : error;
      }
    },
  }));
}

/** A fault in what the adapter sends, or in what it makes of the answer. */
export function exchange(
  handle: (
    request: FrontRequest,
    send: Front['handle'],
    response: () => Promise<FrontResponse>,
  ) => Promise<FrontResponse>,
): Twist {
  return {
    front: (front) => ({
      handle: (request) =>
        handle(
          request,
          (other) => front.handle(other),
          () => front.handle(request),
        ),
    }),
  };
}

export function isList({ method: verb, path }: FrontRequest): boolean {
  return verb === 'GET' && path === '/v1/machines';
}

export function json(status: number, body: object): FrontResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The error's code in an answer, or an empty text. */
export function codeOf({ status, body }: FrontResponse): string {
  if (status < 400 || typeof body !== 'string') return '';
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}
