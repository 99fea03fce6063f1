import type { ContainerObject, PodObject, Quantities } from '../../reference/oracle/api-objects.js';
import { effectiveRequest } from '../../reference/oracle/effective-request.js';
import type { Reading } from '../../reference/oracle/effective-request.js';
import { makeNode, makePod } from '../../reference/oracle/make.js';
import { applyDefaults } from '../../reference/oracle/pod-defaults.js';
import { parseQuantity, toMilli, toUnits } from '../../reference/oracle/quantity.js';
import { runRows } from './question.js';

describe('quantities of the oracle (6.A)', () => {
  it.each([
    ['1: 1.5Gi', '1.5Gi', 1610612736n, 1610612736000n],
    ['2: 0.5m', '0.5m', 1n, 1n],
    ['4: 1500u', '1500u', 1n, 2n],
    ['5: 1E3', '1E3', 1000n, 1000000n],
    ['5: 1e+3', '1e+3', 1000n, 1000000n],
    ['5: 1E', '1E', 10n ** 18n, 2n ** 63n - 1n],
    ['7: .5', '.5', 1n, 500n],
    ['7: 1.', '1.', 1n, 1000n],
    ['7: 00001', '00001', 1n, 1000n],
    ['7: +2', '+2', 2n, 2000n],
    ['8: 0.1Ki', '0.1Ki', 103n, 102400n],
    ['9: 8Ei', '8Ei', 2n ** 63n - 1n, 2n ** 63n - 1n],
    ['10: 5e-1', '5e-1', 1n, 500n],
  ])('%s', (_name, text, units, milli) => {
    const nano = parseQuantity(text) ?? -1n;
    expect([toUnits(nano), toMilli(nano)]).toEqual([units, milli]);
  });

  it('3: rounds away from zero at nano', () => {
    expect(parseQuantity('0.1n')).toBe(1n);
  });

  it('takes exponents without end for very large and very small', () => {
    expect(toUnits(parseQuantity('1e999999999') ?? 0n)).toBe(2n ** 63n - 1n);
    expect(parseQuantity('1e-999999999')).toBe(1n);
  });

  it.each(['1e', '1K', '1MB', '1mi', '1gi', '1 Gi', '1..2', '1.2.3', '0x10', '', '.', 'Ki', 'e3'])(
    '6: %p is no quantity',
    (text) => {
      expect(parseQuantity(text)).toBeNull();
    },
  );
});

const container = (requests: Quantities, parts: ContainerObject = {}) => ({
  resources: { requests },
  ...parts,
});
const sidecar = (requests: Quantities) => container(requests, { name: 'side', restartPolicy: 'Always' });

function request(pod: PodObject, reading: Reading = 'incoming'): Record<string, bigint> {
  return Object.fromEntries(effectiveRequest(pod, reading));
}

const halfCore = { requests: { cpu: '500m' } };

describe('effective requests of the oracle (6.B)', () => {
  it('11: sums containers, takes the maximum of init containers', () => {
    const pod = makePod('p', {
      spec: {
        containers: [container({ cpu: '2', memory: '1G' }), container({ cpu: '1', memory: '1G' })],
        initContainers: [container({ cpu: '2', memory: '1G' }), container({ cpu: '2', memory: '3G' })],
      },
    });
    expect(request(pod)).toEqual({ cpu: 3000n, memory: 3000000000n });
  });

  it('12, 13: the order of a sidecar and an init container matters', () => {
    const [side, init] = [sidecar({ cpu: '300m' }), container({ cpu: '1' })];
    expect(request(makePod('p', { ...halfCore, spec: { initContainers: [side, init] } }))).toEqual({
      cpu: 1300n,
    });
    expect(request(makePod('p', { ...halfCore, spec: { initContainers: [init, side] } }))).toEqual({
      cpu: 1000n,
    });
  });

  it('14: adds the overhead after the maximum', () => {
    const spec = { initContainers: [container({ cpu: '1' })], overhead: { cpu: '250m' } };
    expect(request(makePod('p', { ...halfCore, spec }))).toEqual({ cpu: 1250n });
  });

  it('15, 16: defaults requests from limits', () => {
    const limited = makePod('p', { container: { resources: { limits: { cpu: '1' } } } });
    expect([request(limited), request(applyDefaults(limited))]).toEqual([{}, { cpu: 1000n }]);
    const mixed = makePod('p', {
      container: { resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } } },
    });
    expect(request(applyDefaults(mixed))).toEqual({ cpu: 500n, memory: 1073741824n });
  });

  it('17, 18, 19: a request of the pod replaces that of the containers', () => {
    const twice = [container({ cpu: '500m', memory: '1Gi' }), container({ cpu: '500m', memory: '1Gi' })];
    const cores = (cpu: string) => ({ resources: { requests: { cpu } } });
    expect(request(makePod('p', { spec: { containers: twice, ...cores('2') } }))).toEqual({
      cpu: 2000n,
      memory: 2147483648n,
    });
    const started = { initContainers: [container({ cpu: '3' })], overhead: { cpu: '100m' }, ...cores('1') };
    expect(request(makePod('p', { ...halfCore, spec: started }))).toEqual({ cpu: 1100n });
    const stored = { resources: { requests: { cpu: '1', 'ephemeral-storage': '5Gi' } } };
    expect(request(makePod('p', { requests: { 'ephemeral-storage': '1Gi' }, spec: stored }))).toEqual({
      cpu: 1000n,
      'ephemeral-storage': 1073741824n,
    });
  });

  it('20: limits of the pod default its request from the containers', () => {
    const spec = { resources: { limits: { cpu: '2' } } };
    expect(request(applyDefaults(makePod('p', { ...halfCore, spec })))).toEqual({ cpu: 500n });
  });

  it('21, 22: charges a resized pod what it was given', () => {
    const resized = (spec: string, actual: string, reason?: string) =>
      makePod('p', {
        requests: { cpu: spec },
        status: {
          containerStatuses: [
            { name: 'main', resources: { requests: { cpu: actual } }, allocatedResources: { cpu: '1' } },
          ],
          conditions: reason === undefined ? [] : [{ type: 'PodResizePending', status: 'True', reason }],
        },
      });
    expect(request(resized('1', '2'), 'existing')).toEqual({ cpu: 2000n });
    expect(request(resized('1', '2'), 'incoming')).toEqual({ cpu: 1000n });
    expect(request(resized('8', '1', 'Infeasible'), 'existing')).toEqual({ cpu: 1000n });
    expect(request(resized('8', '1', 'Deferred'), 'existing')).toEqual({ cpu: 8000n });
  });

  it('23: reads the status of sidecars, not of plain init containers', () => {
    const charged = (init: ContainerObject) =>
      request(
        makePod('p', {
          ...halfCore,
          spec: { initContainers: [{ ...init, name: 'side' }] },
          status: { initContainerStatuses: [{ name: 'side', resources: { requests: { cpu: '3' } } }] },
        }),
        'existing',
      );
    expect(charged(container({ cpu: '1' }))).toEqual({ cpu: 1000n });
    expect(charged(sidecar({ cpu: '1' }))).toEqual({ cpu: 3500n });
  });

  it('24, 25: rounds once a pod; knows which names count', () => {
    const tiny = [container({ cpu: '500u' }), container({ cpu: '500u' })];
    expect(request(makePod('p', { spec: { containers: tiny } }))).toEqual({ cpu: 1n });
    const odd = { 'hugepages-2Mi': '100Mi', 'example.com/gpu': '2', foo: '3', storage: '1Gi', pods: '5' };
    expect(request(makePod('p', { requests: odd }))).toEqual({
      'hugepages-2Mi': 104857600n,
      'example.com/gpu': 2n,
    });
  });
});

const asking = (requests: Quantities) => makePod('p', { requests });
const holding = (...requests: Quantities[]) => ({
  n1: requests.map((each, index) => makePod(`held-${index.toString()}`, { requests: each })),
});
const small = [makeNode('n1', { allocatable: { cpu: '1', memory: '8Gi', pods: '110' } })];

describe('the oracle on resources (6.C)', () => {
  runRows([
    { it: '26: exactly full', placed: holding({ cpu: '3' }), pod: asking({ cpu: '1' }), expect: 'fits' },
    {
      it: '27: one too many',
      placed: holding({ cpu: '3' }),
      pod: asking({ cpu: '1001m' }),
      expect: 'NodeResourcesFit: Insufficient cpu',
    },
    {
      it: '28: all reasons in order',
      nodes: [makeNode('n1', { allocatable: { cpu: '4', memory: '8Gi', pods: '1' } })],
      placed: holding({}),
      pod: asking({ memory: '16Gi', cpu: '8' }),
      expect: 'NodeResourcesFit: Too many pods, Insufficient cpu, Insufficient memory',
    },
    {
      it: '29: nothing asked of a full node',
      nodes: small,
      placed: holding({ cpu: '2' }),
      pod: asking({}),
      expect: 'fits',
    },
    {
      it: '30: only what is asked for is compared',
      nodes: small,
      placed: holding({ cpu: '2' }),
      pod: asking({ memory: '1Mi' }),
      expect: 'fits',
    },
    {
      it: '31: no pod slots',
      nodes: [makeNode('n1', { allocatable: { cpu: '4' } })],
      pod: asking({}),
      expect: 'NodeResourcesFit: Too many pods',
    },
    {
      it: '32: an unknown resource',
      pod: asking({ 'example.com/gpu': '1' }),
      expect: 'NodeResourcesFit: Insufficient example.com/gpu',
    },
    { it: '33: none of an unknown resource', pod: asking({ 'example.com/gpu': '0' }), expect: 'fits' },
    {
      it: '34: terminating pods are charged',
      placed: { n1: [makePod('t', { requests: { cpu: '4' }, terminating: true })] },
      pod: asking({ cpu: '100m' }),
      expect: 'NodeResourcesFit: Insufficient cpu',
    },
    {
      it: '35: each pod is rounded apart',
      nodes: [makeNode('n1', { allocatable: { cpu: '3m', pods: '110' } })],
      placed: holding({ cpu: '500u' }, { cpu: '500u' }, { cpu: '500u' }),
      pod: asking({ cpu: '500u' }),
      expect: 'NodeResourcesFit: Insufficient cpu',
    },
    {
      it: '36: ephemeral storage',
      pod: asking({ 'ephemeral-storage': '101Gi' }),
      expect: 'NodeResourcesFit: Insufficient ephemeral-storage',
    },
  ]);
});

const TAKEN = "NodePorts: node(s) didn't have free ports for the requested pod ports";

function port(hostPort: number, hostIP = '', protocol = ''): ContainerObject {
  return { ports: [{ hostPort, containerPort: 80, hostIP, protocol }] };
}

const onPort = (...args: Parameters<typeof port>) => makePod('p', { container: port(...args) });
const afterInit = (restartPolicy: string | null) => ({
  n1: [makePod('e', { spec: { initContainers: [{ ...port(8080), name: 'i', restartPolicy }] } })],
});

describe('the oracle on host ports (6.F)', () => {
  runRows([
    { it: '68: the same port', placed: { n1: [onPort(8080)] }, pod: onPort(8080, '', 'TCP'), expect: TAKEN },
    {
      it: '69: another protocol',
      placed: { n1: [onPort(8080)] },
      pod: onPort(8080, '', 'UDP'),
      expect: 'fits',
    },
    {
      it: '70: any address',
      placed: { n1: [onPort(8080, '10.0.0.1')] },
      pod: onPort(8080, '0.0.0.0'),
      expect: TAKEN,
    },
    { it: '70: no address', placed: { n1: [onPort(8080, '10.0.0.1')] }, pod: onPort(8080), expect: TAKEN },
    { it: '71: held on any', placed: { n1: [onPort(8080)] }, pod: onPort(8080, '10.0.0.1'), expect: TAKEN },
    {
      it: '72: another address',
      placed: { n1: [onPort(8080, '10.0.0.1')] },
      pod: onPort(8080, '10.0.0.2'),
      expect: 'fits',
    },
    { it: '73: of a plain init container', placed: afterInit(null), pod: onPort(8080), expect: 'fits' },
    { it: '73: of a sidecar', placed: afterInit('Always'), pod: onPort(8080), expect: TAKEN },
    {
      it: '74: of a pod on the host network, after defaulting',
      placed: {
        n1: [
          applyDefaults(
            makePod('e', { spec: { hostNetwork: true }, container: { ports: [{ containerPort: 9100 }] } }),
          ),
        ],
      },
      pod: onPort(9100),
      expect: TAKEN,
    },
  ]);
});
