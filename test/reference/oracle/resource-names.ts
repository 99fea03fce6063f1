/** Which resource names count, and in which order they are reported (`scheduling` 1.4, 0.3). */

/** `prefix/name` or `name`, each part as Kubernetes allows it. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  if (parts.length > 2) return false;
  const name = parts[parts.length - 1] ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : null;
  if (name.length === 0 || name.length > 63 || !/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(name)) {
    return false;
  }
  return prefix === null || isDnsSubdomain(prefix);
}

function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}

export function isScalarResource(name: string): boolean {
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true;
  if (name.includes('kubernetes.io/')) return true;
  return name.includes('/') && !name.startsWith('requests.') && isQualifiedName(name);
}

const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

/** Whether a pod's request or a node's allocatable of that name plays a part; `pods` is read apart. */
export function isCounted(name: string): boolean {
  return PLAIN_RESOURCES.includes(name) || isScalarResource(name);
}

/** cpu, memory, ephemeral-storage, then the rest in byte order. */
export function inReportOrder(names: Iterable<string>): string[] {
  const scalars = [...names].filter((name) => !PLAIN_RESOURCES.includes(name));
  return [...PLAIN_RESOURCES, ...scalars.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))];
}

/** Names that a pod may ask for as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}
