import {
  effectiveRequests,
  nodeResources,
  requestsOfTemplate,
} from '../../../src/domain/kubernetes/effective-request.js';
import { applyPodDefaults } from '../../../src/domain/kubernetes/pod-defaults.js';
import type {
  ContainerJson,
  PodJson,
  PodSpecJson,
  QuantityList,
} from '../../../src/domain/kubernetes/pod-json.js';
import { QuantityError } from '../../../src/domain/kubernetes/quantity.js';

const asking = (requests: QuantityList, rest: ContainerJson = {}): ContainerJson => ({
  ...rest,
  resources: { requests },
});
const sidecar = (requests: QuantityList, name = 's'): ContainerJson =>
  asking(requests, { name, restartPolicy: 'Always' });
const incoming = (spec: PodSpecJson): object => Object.fromEntries(effectiveRequests({ spec }).incoming);
const charged = (pod: PodJson): object | null => {
  const amounts = effectiveRequests(pod).charged;
  return amounts === null ? null : Object.fromEntries(amounts);
};

describe('effectiveRequests of an incoming pod', () => {
  interface Case {
    readonly name: string;
    readonly spec: PodSpecJson;
    readonly expected: object;
  }
  const cases: Case[] = [
    {
      // scheduling 6.B/11
      name: 'takes the larger of sum of containers and largest init container',
      spec: {
        containers: [asking({ cpu: '2', memory: '1G' }), asking({ cpu: '1', memory: '1G' })],
        initContainers: [asking({ cpu: '2', memory: '1G' }), asking({ cpu: '2', memory: '3G' })],
      },
      expected: { cpu: 3_000, memory: 3_000_000_000 },
    },
    {
      // scheduling 6.B/12
      name: 'adds sidecars to init containers that start after them',
      spec: {
        containers: [asking({ cpu: '500m' })],
        initContainers: [sidecar({ cpu: '300m' }), asking({ cpu: '1' })],
      },
      expected: { cpu: 1_300 },
    },
    {
      // scheduling 6.B/13
      name: 'does not add sidecars to init containers that start before them',
      spec: {
        containers: [asking({ cpu: '500m' })],
        initContainers: [asking({ cpu: '1' }), sidecar({ cpu: '300m' })],
      },
      expected: { cpu: 1_000 },
    },
    {
      // scheduling 6.B/14
      name: 'adds overhead after the maximum',
      spec: {
        containers: [asking({ cpu: '500m' })],
        initContainers: [asking({ cpu: '1' })],
        overhead: { cpu: '250m' },
      },
      expected: { cpu: 1_250 },
    },
    {
      // scheduling 6.B/17
      name: 'lets a pod-level request replace the sum',
      spec: {
        containers: [asking({ cpu: '500m', memory: '1Gi' }), asking({ cpu: '500m', memory: '1Gi' })],
        resources: { requests: { cpu: '2' } },
      },
      expected: { cpu: 2_000, memory: 2_147_483_648 },
    },
    {
      // scheduling 6.B/18
      name: 'lets a pod-level request override the init maximum, and adds overhead to it',
      spec: {
        containers: [asking({ cpu: '500m' })],
        initContainers: [asking({ cpu: '3' })],
        resources: { requests: { cpu: '1' } },
        overhead: { cpu: '100m' },
      },
      expected: { cpu: 1_100 },
    },
    {
      // scheduling 6.B/19
      name: 'ignores resources that a pod can not ask for as a whole',
      spec: {
        containers: [asking({ 'ephemeral-storage': '1Gi' })],
        resources: { requests: { cpu: '1', 'ephemeral-storage': '5Gi' } },
      },
      expected: { cpu: 1_000, 'ephemeral-storage': 1_073_741_824 },
    },
    {
      // scheduling 6.B/24
      name: 'sums exactly and rounds once',
      spec: { containers: [asking({ cpu: '500u' }), asking({ cpu: '500u' })] },
      expected: { cpu: 1 },
    },
    {
      // scheduling 6.B/25
      name: 'counts only what the scheduler counts',
      spec: {
        containers: [
          asking({
            'hugepages-2Mi': '100Mi',
            'example.com/gpu': '2',
            'requests.example.com/gpu': '2',
            'Bad_Domain/x': 1,
            foo: '3',
            storage: '1Gi',
            pods: '5',
            'deviceclass.resource.kubernetes.io/x': 1,
          }),
        ],
      },
      expected: {
        'hugepages-2Mi': 104_857_600,
        'example.com/gpu': 2,
        'deviceclass.resource.kubernetes.io/x': 1,
      },
    },
  ];

  it.each(cases)('$name', ({ spec, expected }) => {
    expect(incoming(spec)).toEqual(expected);
  });

  it('asks for nothing where nothing is said', () => {
    const odd: PodJson[] = [
      {},
      { spec: null },
      { spec: { containers: null, initContainers: null } },
      { spec: { containers: [{}, { resources: null }, { resources: { requests: null } }] } },
    ];
    expect(odd.map((pod) => effectiveRequests(pod).incoming.size)).toEqual([0, 0, 0, 0]);
  });

  it.each(['two', '-1'])('refuses the request %p', (cpu) => {
    expect(() => effectiveRequests({ spec: { containers: [asking({ cpu })] } })).toThrow(QuantityError);
  });
});

describe('requests of a template', () => {
  const limited = (limits: QuantityList, requests: QuantityList = {}): PodSpecJson => ({
    containers: [{ resources: { limits, requests } }],
  });

  it('takes limits for missing requests, as the API server will', () => {
    // scheduling 6.B/15
    const spec = limited({ cpu: '1' });
    expect([Object.fromEntries(requestsOfTemplate(spec)), incoming(spec)]).toEqual([{ cpu: 1_000 }, {}]);
  });

  it('keeps requests that are there', () => {
    // scheduling 6.B/16
    const spec = limited({ cpu: '2', memory: '1Gi' }, { cpu: '500m' });
    expect(Object.fromEntries(requestsOfTemplate(spec))).toEqual({ cpu: 500, memory: 1_073_741_824 });
  });

  it('fills the pod-level request from the containers before the pod-level limit', () => {
    // scheduling 6.B/20
    const spec: PodSpecJson = {
      containers: [asking({ cpu: '500m' })],
      resources: { limits: { cpu: '2', memory: '1Gi' } },
    };
    expect(applyPodDefaults(spec).resources?.requests).toEqual({ cpu: '500m', memory: '1Gi' });
    expect(Object.fromEntries(requestsOfTemplate(spec))).toEqual({ cpu: 500, memory: 1_073_741_824 });
  });

  it('takes pod-level limits of huge pages from the containers', () => {
    const spec: PodSpecJson = {
      containers: [
        { resources: { limits: { 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } } },
      ],
      resources: { requests: { cpu: '1' } },
    };
    expect(applyPodDefaults(spec).resources).toEqual({
      limits: { 'hugepages-2Mi': '4Mi' },
      requests: { cpu: '1', 'hugepages-2Mi': '4Mi' },
    });
  });

  it('rounds lists up to milli', () => {
    const spec: PodSpecJson = { containers: [asking({ cpu: '500u' }), asking({ cpu: '500u' })] };
    expect(Object.fromEntries(requestsOfTemplate(spec))).toEqual({ cpu: 2 });
  });

  it('leaves the template as it was', () => {
    const spec = limited({ cpu: '1' });
    applyPodDefaults(spec);
    expect(spec).toEqual(limited({ cpu: '1' }));
  });
});

describe('what a running pod is charged', () => {
  const resized = (spec: string, actual: string, allocated: string, reason?: string): PodJson => ({
    spec: { containers: [asking({ cpu: spec }, { name: 'c' })] },
    status: {
      containerStatuses: [
        { name: 'c', resources: { requests: { cpu: actual } }, allocatedResources: { cpu: allocated } },
      ],
      conditions: reason === undefined ? [] : [{ type: 'PodResizePending', reason }],
    },
  });

  it('is the largest of wish, actual and allocated', () => {
    // scheduling 6.B/21
    const pod = resized('1', '2', '1');
    expect(charged(pod)).toEqual({ cpu: 2_000 });
    expect(Object.fromEntries(effectiveRequests(pod).incoming)).toEqual({ cpu: 1_000 });
  });

  it('leaves out a wish that is infeasible, but not one that is deferred', () => {
    // scheduling 6.B/22
    expect(charged(resized('8', '1', '1', 'Infeasible'))).toEqual({ cpu: 1_000 });
    expect(charged(resized('8', '1', '1', 'Deferred'))).toBeNull();
  });

  it('reads the status of sidecars and not of plain init containers', () => {
    // scheduling 6.B/23
    const pod = (init: ContainerJson): PodJson => ({
      spec: { containers: [asking({ cpu: '500m' }, { name: 'c' })], initContainers: [init] },
      status: { initContainerStatuses: [{ name: 'i', resources: { requests: { cpu: '3' } } }] },
    });
    expect(charged(pod(asking({ cpu: '1' }, { name: 'i' })))).toBeNull();
    expect(Object.fromEntries(effectiveRequests(pod(asking({ cpu: '1' }))).incoming)).toEqual({ cpu: 1_000 });
    expect(charged(pod(sidecar({ cpu: '1' }, 'i')))).toEqual({ cpu: 3_500 });
  });

  it('follows a resize of the pod as a whole, for what the pod asks for as a whole', () => {
    const pod = (reason: string): PodJson => ({
      spec: {
        containers: [asking({ cpu: '100m', memory: '1Gi' })],
        resources: { requests: { cpu: '4', 'hugepages-2Mi': '2Mi' } },
      },
      status: {
        resources: { requests: { cpu: '1', memory: '9Gi' } },
        allocatedResources: { cpu: '2' },
        conditions: [{ type: 'PodResizePending', reason }],
      },
    });
    expect(charged(pod('Infeasible'))).toEqual({ cpu: 2_000, memory: 1_073_741_824 });
    expect(charged(pod('Deferred'))).toBeNull();
  });

  it('is the request where the status says nothing', () => {
    const spec = { containers: [asking({ cpu: '1' }, { name: 'c' })] };
    expect([
      charged({ spec, status: null }),
      charged({ spec, status: { containerStatuses: null } }),
      charged({ spec, status: { containerStatuses: [{ name: 'c', resources: null }] } }),
    ]).toEqual([null, null, null]);
  });
});

describe('nodeResources', () => {
  it('rounds up, keeps slots and drops what is not counted', () => {
    const list = {
      cpu: '3920500u',
      memory: '8Gi',
      pods: '110',
      foo: '1',
      storage: '1Gi',
      'nvidia.com/gpu': 1,
    };
    expect(Object.fromEntries(nodeResources(list))).toEqual({
      cpu: 3_921,
      memory: 8 * 1024 ** 3,
      pods: 110,
      'nvidia.com/gpu': 1,
    });
  });

  it('keeps negative amounts and takes missing lists for empty', () => {
    expect(Object.fromEntries(nodeResources({ cpu: '-1' }))).toEqual({ cpu: -1_000 });
    expect(nodeResources(null).size).toBe(0);
  });
});
