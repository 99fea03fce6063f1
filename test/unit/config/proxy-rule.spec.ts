import { proxyFor } from '../../../src/adapters/config/proxy-rule.js';

const PROXY = 'http://10.0.0.9:3128';

function direct(url: string, noProxy: string): boolean {
  return proxyFor(new URL(url), { HTTPS_PROXY: PROXY, NO_PROXY: noProxy }) === null;
}

describe('proxyFor', () => {
  test.each([
    // U063
    ['https://10.96.0.1/api', true],
    ['https://api.hetzner.cloud/v1/servers', false],
    ['https://x.ns.svc/', true],
  ])('%s goes directly: %s', (url, expected) => {
    expect(direct(url, '10.96.0.0/12,.svc')).toBe(expected);
  });

  test.each([
    ['https://example.com/', 'example.com', true],
    ['https://api.example.com/', 'example.com', true],
    ['https://badexample.com/', 'example.com', false],
    ['https://example.com/', '.example.com', false],
    ['https://a.example.com/', '*.example.com', true],
    ['https://EXAMPLE.com/', 'Example.COM', true],
    ['https://a:6443/', 'a:6443', true],
    ['https://a:6443/', 'a:443', false],
    ['https://a/', 'a:443', true],
    ['https://[fd00::1]:6443/', 'fd00::/8', true],
    ['https://[fd00::1]/', '[fd00::1]:443', true],
    ['https://10.0.0.5/', '10.0.0.5', true],
    ['https://10.0.0.5/', '0.0.5', false],
    ['https://anything/', '*', true],
    ['https://a/', ' b , a ', true],
    ['https://127.0.0.1/', '', true],
    ['https://localhost/', '', true],
    ['https://a/', '', false],
  ])('%s with NO_PROXY=%s goes directly: %s', (url, noProxy, expected) => {
    expect(direct(url, noProxy)).toBe(expected);
  });

  test('lower-case variables win, and each scheme has its own', () => {
    const environment = { HTTPS_PROXY: PROXY, https_proxy: 'proxy:1', HTTP_PROXY: 'http://plain:2' };
    expect(proxyFor(new URL('https://a/'), environment)).toBe('http://proxy:1');
    expect(proxyFor(new URL('http://a/'), environment)).toBe('http://plain:2');
    expect(proxyFor(new URL('https://a/'), {})).toBeNull();
  });
});
