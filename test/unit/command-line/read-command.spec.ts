import { readCommand } from '../../../src/infrastructure/command-line/index.js';

describe('commands', () => {
  it('leaves the arguments of simulate to it', () => {
    expect(readCommand(['simulate', '-v', 'a.yaml'])).toEqual({ kind: 'simulate', argv: ['-v', 'a.yaml'] });
  });

  it('reads flags of run', () => {
    const command = readCommand(['run', '--cloud-provider=utho']);
    expect(command.kind === 'run' && command.flags.options.cloudProvider).toBe('utho');
  });

  it('means run by flags without a command', () => {
    expect(readCommand(['--v=4']).kind).toBe('run');
  });

  it.each([
    [[], 'hetzner'],
    [['--cloud=hetzner'], 'hetzner'],
    [['--cloud=utho'], 'utho'],
    [['--cloud', 'utho'], 'utho'],
  ])('shows in demo %j the cloud %s', (argv, cloud) => {
    expect(readCommand(['demo', ...argv])).toEqual({ kind: 'demo', cloud });
  });

  it.each([
    [['--seed=7'], '--seed'],
    [['--cloud=gce'], "--cloud is one of hetzner, utho, not 'gce'"],
    [['--cloud'], '--cloud'],
    [['utho'], 'utho'],
  ])('refuses arguments that the demo would not obey: %j', (argv, named) => {
    const command = readCommand(['demo', ...argv]);
    expect(command.kind).toBe('usage-error');
    expect(command.kind === 'usage-error' && command.text).toMatch(/evenkeel run \[flags\][^]*\ndemo: /u);
    expect(command.kind === 'usage-error' && command.text).toContain(named);
  });

  it('lists the commands by demo --help', () => {
    expect(readCommand(['demo', '--help']).kind).toBe('help');
  });

  it.each([['version'], ['--version']])('prints the version by %s', (word) => {
    expect(readCommand([word])).toEqual({ kind: 'version' });
  });

  it.each([[[]], [['help']], [['-h']], [['--help']]])('lists the commands by %j', (argv) => {
    const command = readCommand(argv);
    expect(command.kind === 'help' && command.text).toContain('evenkeel run [flags]');
  });

  it('lists the flags with type and default', () => {
    const command = readCommand(['run', '--help']);
    const text = command.kind === 'help' ? command.text : '';
    expect(text).toContain('  --scan-interval duration\n        Pause between loops. (default 10s)');
    expect(text).toContain('  -v, --v Level\n');
    expect(text).not.toContain('max-empty-bulk-delete');
  });

  // interface 9/8
  it('does not list least-nodes in the help text', () => {
    const command = readCommand(['run', '--help']);
    expect(command.kind === 'help' && command.text).not.toContain('least-nodes');
  });

  // interface 9/2
  it('answers an unknown flag with usage and the name', () => {
    const command = readCommand(['run', '--no-such-flag']);
    expect(command.kind).toBe('usage-error');
    expect(command.kind === 'usage-error' && command.text).toMatch(
      /^Usage of cluster-autoscaler:[^]*unknown flag: --no-such-flag\n$/u,
    );
  });

  it('refuses unknown commands', () => {
    const command = readCommand(['walk']);
    expect(command.kind === 'usage-error' && command.text).toContain('unknown command: walk');
  });
});
