import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoCloud } from '../command-line/index.js';
import { AutoscalerProcess } from './autoscaler-process.js';
import { DemoFailure, DemoStory } from './demo-story.js';
import type { DemoWorld } from './demo-world.js';
import { HetznerDemo } from './hetzner-demo.js';
import { writeKubeconfig } from './kubeconfig-file.js';
import { say, tell } from './telling.js';
import { UthoDemo } from './utho-demo.js';

const WORLDS: Readonly<Record<DemoCloud, () => DemoWorld>> = {
  hetzner: () => new HetznerDemo(),
  utho: () => new UthoDemo(),
};

/** `evenkeel demo`: a growth and a shrink against the sandbox, in the open. Gives the exit code: 0 if it ended well. */
export async function demoCommand(cloud: DemoCloud, stop: AbortSignal): Promise<number> {
  const world = WORLDS[cloud]();
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-demo-'));
  try {
    return await show(world, folder, stop);
  } finally {
    world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function show(world: DemoWorld, folder: string, stop: AbortSignal): Promise<number> {
  const open = await world.open(folder);
  const kubeconfig = writeKubeconfig(folder, 'administrator', world.cluster, open);
  say(`${world.title}, served on this machine. Look into it with\n\n`);
  say(`    kubectl --kubeconfig=${kubeconfig} get nodes,pods\n\n${open.preface}`);
  const startAutoscaler = (): AutoscalerProcess =>
    AutoscalerProcess.start(open.flags, open.environment, (entry) => {
      if (world.isWorthTelling(entry)) tell('autoscaler', entry.message);
    });
  const story = new DemoStory(world, startAutoscaler, stop);
  try {
    await story.play();
    tell('demo', 'The world ended as it should.');
    return 0;
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    tell('demo', `FAILED: ${error.message}`);
    return 1;
  } finally {
    await story.abandon();
    await open.close();
  }
}
