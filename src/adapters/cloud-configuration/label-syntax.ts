const NAME = /^[a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,61}[a-z0-9A-Z])?$/;
const VALUE = /^([a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,61}[a-z0-9A-Z])?)?$/;
const KUBERNETES_PREFIX = /^[a-z0-9]([a-z0-9\-.]{0,251}[a-z0-9])?$/;

/** Key of a Kubernetes label or taint: `name` or `dns.prefix/name`. */
export function isKubernetesKey(key: string): boolean {
  return isPrefixedName(key, KUBERNETES_PREFIX);
}

/** Value of a label; clouds have the same rule. Taint values too. */
export function isLabelValue(value: string): boolean {
  return VALUE.test(value);
}

/** `name`, or `prefix/name` with a prefix of this shape. */
export function isPrefixedName(key: string, prefixPattern: RegExp): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return NAME.test(key);
  return prefixPattern.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}
