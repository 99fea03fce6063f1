const NAME = /^[a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,61}[a-z0-9A-Z])?$/;
const VALUE = /^([a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,61}[a-z0-9A-Z])?)?$/;
const KUBERNETES_PREFIX = /^[a-z0-9]([a-z0-9\-.]{0,251}[a-z0-9])?$/;
const HETZNER_PREFIX = /^[a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,251}[a-z0-9A-Z])?$/;

/** Key of a Kubernetes label or taint: `name` or `dns.prefix/name`. */
export function isKubernetesKey(key: string): boolean {
  return isKey(key, KUBERNETES_PREFIX);
}

/** Key of a label in Hetzner Cloud (`hetzner` 2.3); the prefix `hetzner.cloud/` is reserved there. */
export function isHetznerKey(key: string): boolean {
  return isKey(key, HETZNER_PREFIX) && !key.startsWith('hetzner.cloud/');
}

/** Value of a label; both sides have the same rule. Taint values too. */
export function isLabelValue(value: string): boolean {
  return VALUE.test(value);
}

function isKey(key: string, prefixPattern: RegExp): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return NAME.test(key);
  return prefixPattern.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}
