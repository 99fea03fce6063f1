import type { Namespace } from '../../../domain/kubernetes/namespace.js';
import type { NamespaceObject } from './api-objects.js';
import { identityOf } from './projection.js';
import type { SharedRecords } from './projection.js';

/**
 * A namespace as the domain knows it.
 * @throws BrokenObjectError
 */
export function projectNamespace({ metadata }: NamespaceObject, shared: SharedRecords): Namespace {
  const { name } = identityOf(metadata);
  return { name: shared.text(name), labels: shared.labels(metadata?.labels) };
}
