import type { Findings } from './findings.js';

/**
 * The address of an API, without a slash at the end; null where it is none, which is reported. It becomes part of every
 * error text, so no password may stand in it, and a faulty one that may hold a password is not shown either.
 */
export function readBaseUrl(text: string, place: string, example: string, findings: Findings): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    const shown = text.includes('@') ? '(secret)' : text;
    findings.fault(place, shown, 'it is no http or https URL', `write e.g. ${example}`);
    return null;
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    findings.fault(place, url.host, 'it has more than host and path', 'leave out user, query and fragment');
    return null;
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    findings.warn(`${place}: the API key goes to ${url.host} without encryption, use https`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host);
}
