import { readSandboxArguments } from '../../../src/infrastructure/sandbox-command/read-arguments.js';

describe('arguments of the sandbox command', () => {
  it('have defaults', () => {
    expect(readSandboxArguments([])).toEqual({
      kind: 'arguments',
      value: {
        cloud: 'hetzner',
        kubernetesPort: 0,
        cloudPort: 0,
        kubeconfig: null,
        speed: 1,
        seed: '1',
        workers: 1,
        scenario: null,
      },
    });
  });

  it('are read in both ways of writing', () => {
    const argv = [
      '--port-kubernetes',
      '6443',
      '--port-hetzner=8080',
      '--kubeconfig=k',
      '--speed',
      '2.5',
      '--seed=x',
    ];
    expect(readSandboxArguments([...argv, '--scenario=s.yaml'])).toMatchObject({
      value: {
        kubernetesPort: 6_443,
        cloudPort: 8_080,
        kubeconfig: 'k',
        speed: 2.5,
        seed: 'x',
        workers: 1,
        scenario: 's.yaml',
      },
    });
  });

  it('may name another cloud', () => {
    expect(readSandboxArguments(['--cloud=utho', '--port-utho=8081', '--workers=0'])).toMatchObject({
      value: { cloud: 'utho', cloudPort: 8_081, workers: 0 },
    });
  });

  it.each([
    [['--cloud=mars'], "--cloud is one of hetzner, utho, not 'mars'"],
    [['--port-utho=1'], '--port-utho is for --cloud=utho'],
    [['--cloud=utho', '--port-hetzner=1'], '--port-hetzner is for --cloud=hetzner'],
    [['--cloud=utho', '--port-utho=x'], '--port-utho is a whole number'],
    [['--cloud=utho', '--scenario=s.yaml'], '--scenario tells stories of Hetzner Cloud'],
    [['--scenario=s.yaml', '--workers=2'], '--workers is not for a --scenario'],
    [['--port-kubernetes=65536'], '--port-kubernetes is a whole number from 0 to 65535'],
    [['--port-hetzner=x'], '--port-hetzner is a whole number'],
    [['--speed=0'], '--speed is a number above 0'],
    [['--workers=-1'], '--workers is a whole number'],
    [['--fast'], "Unknown option '--fast'"],
    [['more'], 'Unexpected argument'],
  ])('%j are refused', (argv, problem) => {
    expect(readSandboxArguments(argv)).toMatchObject({
      kind: 'problem',
      problem: expect.stringContaining(problem),
    });
  });

  it('may ask for help', () => {
    expect(readSandboxArguments(['-h'])).toEqual({ kind: 'help' });
  });
});
