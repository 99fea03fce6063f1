import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { ServedFronts } from '../../sandbox/cloud-sandbox.js';
import { serviceAccountToken } from '../../sandbox/kubernetes/index.js';
import { createHetznerWorld } from './hetzner-world.js';
import { instructions, quoted } from './instructions.js';
import type { Places } from './instructions.js';
import { readSandboxArguments, SANDBOX_USAGE } from './read-arguments.js';
import type { SandboxArguments } from './read-arguments.js';
import type { ServedWorld } from './served-world.js';
import { createStoryWorld, ScenarioProblem } from './story-world.js';
import { createUthoWorld } from './utho-world.js';

const EXIT = { good: 0, failed: 1, usage: 2 } as const;
/** Tokens are read by their owner only, as kubectl writes them. */
const OWNER_ONLY = { mode: 0o600 };

/** `evenkeel sandbox`: serves a world until `stop` is aborted. Gives the exit code. */
export async function sandboxCommand(argv: readonly string[], stop: AbortSignal): Promise<number> {
  const read = readSandboxArguments(argv);
  if (read.kind === 'help') {
    process.stdout.write(SANDBOX_USAGE);
    return EXIT.good;
  }
  if (read.kind === 'problem') {
    process.stderr.write(`${SANDBOX_USAGE}\n${read.problem}\n`);
    return EXIT.usage;
  }
  const { kubeconfig } = read.value;
  if (kubeconfig !== null && isForeign(kubeconfig)) {
    process.stderr.write(
      `${kubeconfig} is not of a sandbox and would be overwritten: name another --kubeconfig\n`,
    );
    return EXIT.usage;
  }
  try {
    return await serve(await createWorld(read.value), read.value, stop);
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT.usage;
  }
}

function createWorld(asked: SandboxArguments): ServedWorld | Promise<ServedWorld> {
  if (asked.scenario !== null) return createStoryWorld(asked.scenario, asked);
  return asked.cloud === 'utho' ? createUthoWorld(asked) : createHetznerWorld(asked);
}

async function serve(
  world: ServedWorld,
  { kubernetesPort, cloudPort, kubeconfig }: SandboxArguments,
  stop: AbortSignal,
): Promise<number> {
  let served: ServedFronts;
  try {
    served = await world.sandbox.serve({ kubernetes: kubernetesPort, cloud: cloudPort });
  } catch (error) {
    await world.stop();
    process.stderr.write(`the sandbox can't be served: ${String(error)}\n`);
    return EXIT.failed;
  }
  const folder = kubeconfig === null ? mkdtempSync(join(tmpdir(), 'evenkeel-sandbox-')) : null;
  // Another terminal is in another folder.
  const path = resolve(kubeconfig ?? join(folder!, 'kubeconfig'));
  const places = {
    served,
    program: startOf(process.argv[1] ?? 'evenkeel'),
    kubeconfig: path,
    autoscalerKubeconfig: `${path}-autoscaler`,
    cloudConfig: `${path}-cloud-config`,
  };
  try {
    writeFiles(world, places);
    world.start();
    process.stdout.write(instructions(world, places));
    await aborted(stop);
  } catch (error) {
    process.stderr.write(`the sandbox can't be served: ${String(error)}\n`);
    return EXIT.failed;
  } finally {
    await served.close();
    await world.stop();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write('The sandbox is gone.\n');
  return EXIT.good;
}

function writeFiles({ sandbox: { cluster }, guide }: ServedWorld, places: Places): void {
  const { served, kubeconfig, autoscalerKubeconfig, cloudConfig } = places;
  const token = serviceAccountToken('kube-system', 'cluster-autoscaler');
  writeFileSync(kubeconfig, cluster.kubeconfig(served.kubernetesUrl), OWNER_ONLY);
  writeFileSync(autoscalerKubeconfig, cluster.kubeconfig(served.kubernetesUrl, { token }), OWNER_ONLY);
  const settings = guide.cloudConfig(served.cloudUrl);
  if (settings !== null) writeFileSync(cloudConfig, `${JSON.stringify(settings, null, 2)}\n`, OWNER_ONLY);
}

/** An installed program is found by its name; a bundle is not. */
function startOf(script: string): string {
  return basename(script) === 'evenkeel' ? 'evenkeel' : `node ${quoted(script)}`;
}

/** Whether there is something that no sandbox has written: `run --kubeconfig` names a file that is read. */
function isForeign(kubeconfig: string): boolean {
  if (!existsSync(kubeconfig)) return false;
  const text = readFileSync(kubeconfig, 'utf8');
  if (text.trim() === '') return false;
  try {
    const { clusters } = parse(text) as { readonly clusters?: readonly { readonly name?: unknown }[] };
    return clusters?.length !== 1 || clusters[0]?.name !== 'sandbox';
  } catch {
    return true;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
