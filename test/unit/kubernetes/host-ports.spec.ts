import { hostPortsOf, portsConflict } from '../../../src/domain/kubernetes/host-ports.js';
import { applyPodDefaults } from '../../../src/domain/kubernetes/pod-defaults.js';
import type { PodSpecJson } from '../../../src/domain/kubernetes/pod-json.js';

describe('hostPortsOf', () => {
  it('normalises address and protocol and leaves out ports of the pod alone', () => {
    const spec: PodSpecJson = {
      containers: [
        { ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }] },
        { ports: [{ hostPort: 53, hostIP: '10.0.0.1', protocol: 'UDP' }] },
        { ports: null },
      ],
    };
    expect(hostPortsOf(spec)).toEqual([
      { hostIp: '0.0.0.0', protocol: 'TCP', port: 8080 },
      { hostIp: '10.0.0.1', protocol: 'UDP', port: 53 },
    ]);
  });

  it('counts sidecars and no plain init containers', () => {
    // scheduling 6.F/73
    const init = (restartPolicy: string | null): PodSpecJson => ({
      initContainers: [{ restartPolicy, ports: [{ hostPort: 8080 }] }],
    });
    expect([hostPortsOf(init(null)).length, hostPortsOf(init('Always')).length]).toEqual([0, 1]);
  });

  it('takes container ports of the host network once the API server has filled them in', () => {
    // scheduling 6.F/74
    const spec: PodSpecJson = { hostNetwork: true, containers: [{ ports: [{ containerPort: 9100 }] }] };
    expect(hostPortsOf(spec)).toEqual([]);
    expect(hostPortsOf(applyPodDefaults(spec))).toEqual([{ hostIp: '0.0.0.0', protocol: 'TCP', port: 9100 }]);
  });
});

describe('portsConflict', () => {
  const port = (hostIp: string): Parameters<typeof portsConflict>[0] => ({
    hostIp,
    protocol: 'TCP',
    port: 1,
  });

  it('knows one wildcard address', () => {
    expect(portsConflict(port('0.0.0.0'), port('10.0.0.1'))).toBe(true);
    expect(portsConflict(port('::'), port('10.0.0.1'))).toBe(false);
    expect(portsConflict(port('::'), port('::'))).toBe(true);
  });
});
