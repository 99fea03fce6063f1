import {
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
} from '../objects/kinds.js';
import type { Role, RoleBinding, RoleRule } from '../objects/types.js';
import type { ObjectStore } from '../store/object-store.js';
import type { User } from './user.js';

/** What is asked for; `resource` with its subresource: `pods/eviction`. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty: at the cluster scope. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
}

/**
 * RBAC, for users that somebody bound a role to. Whom no binding names may do everything, so that a sandbox without
 * rules is open, and one with the published rules is as strict as the real thing.
 */
export function mayAccess(store: ObjectStore, user: User, attributes: Attributes): boolean {
  if (user.isMaster) return true;
  const forAll = store.list(CLUSTER_ROLE_BINDINGS).filter((binding) => names(binding, user));
  const forOne = store.list(ROLE_BINDINGS).filter((binding) => names(binding, user));
  if (forAll.length + forOne.length === 0) return true;
  const inNamespace = forOne.filter(
    ({ metadata }) => attributes.namespace !== '' && metadata.namespace === attributes.namespace,
  );
  return [...forAll, ...inNamespace].some((binding) =>
    rulesOf(store, binding).some((rule) => allows(rule, attributes)),
  );
}

function names({ subjects = [], metadata }: RoleBinding, user: User): boolean {
  return subjects.some(({ kind, name, namespace = metadata.namespace ?? '' }) => {
    if (kind === 'User') return name === user.name;
    if (kind === 'Group') return user.groups.includes(name);
    return kind === SERVICE_ACCOUNTS.kind && user.name === `system:serviceaccount:${namespace}:${name}`;
  });
}

function rulesOf(store: ObjectStore, { roleRef, metadata }: RoleBinding): readonly RoleRule[] {
  const role: Role | undefined =
    roleRef.kind === CLUSTER_ROLES.kind
      ? store.get(CLUSTER_ROLES, undefined, roleRef.name)
      : store.get(ROLES, metadata.namespace, roleRef.name);
  return role?.rules ?? [];
}

function allows(rule: RoleRule, { verb, group, resource, name }: Attributes): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const subresource = resource.split('/')[1];
  return (
    has(verbs, verb) &&
    has(apiGroups, group) &&
    (has(resources, resource) || (subresource !== undefined && resources.includes(`*/${subresource}`))) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

function has(list: readonly string[], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}
