import ipaddr from 'ipaddr.js';
import type { Environment } from './process-configuration-source.js';

/**
 * The proxy for a URL by the usual variables, or null for the direct way (U063): `HTTPS_PROXY` or `HTTP_PROXY` by the
 * URL's scheme, minus `NO_PROXY`: names with their subdomains, suffixes with a leading dot, addresses, CIDR blocks,
 * each with an optional port, or `*`. Lower-case names of the variables win. Loopback is never proxied.
 */
export function proxyFor(url: URL, environment: Environment): string | null {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const proxy = read(url.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY');
  if (proxy === '') return null;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLoopback(host)) return null;
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  const exempt = read('NO_PROXY')
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && isExempt(entry.toLowerCase(), host, port));
  if (exempt) return null;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

function isExempt(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = entry, wantedPort] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return matchesAddress(bare, host);
  const suffix = bare.replace(/^\*?\./, '');
  const onlySubdomains = suffix !== bare;
  return host.endsWith(`.${suffix}`) || (!onlySubdomains && host === suffix);
}

function matchesAddress(entry: string, host: string): boolean {
  const address = ipaddr.process(host);
  if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === address.toString();
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === address.kind() && address.match(network, bits);
}
