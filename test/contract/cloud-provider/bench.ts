import type { CloudCapabilities } from './capabilities.js';
import type { CloudMachine, MakeCloudProviderSubject, SubjectLayout } from './cloud-provider-subject.js';
import { Scene } from './scene.js';
import { Witness } from './witness.js';

/** Where one rule is tried: it makes scenes, and knows all of them afterwards. */
export class Bench {
  readonly scenes: Scene[] = [];
  readonly witness = new Witness();
  private readonly strangers = new Set<string>();

  constructor(
    private readonly makeSubject: MakeCloudProviderSubject,
    readonly capabilities: CloudCapabilities,
  ) {}

  /** A fresh cloud with machines that run already and are listed. */
  async scene(seeds: Readonly<Record<string, number>> = {}, layout: SubjectLayout = {}): Promise<Scene> {
    const subject = await this.makeSubject(layout);
    const machines: CloudMachine[] = [];
    for (const [groupId, count] of Object.entries(seeds))
      machines.push(...subject.cloud.seed(groupId, count));
    const scene = this.enter(new Scene(subject, this.witness, this.strangers, machines));
    if (machines.length > 0) await scene.loop(this.capabilities.times.noticesWithinMs);
    return scene;
  }

  /** Another process on the cloud of a scene. Rejects with what its start or first refresh was rejected with. */
  async twin(scene: Scene, change: { readonly without?: string } = {}): Promise<Scene> {
    const subject = await scene.subject.twin(change).catch((error: unknown) => {
      this.witness.errors.push(error);
      throw error;
    });
    return this.enter(new Scene(subject, this.witness, this.strangers, scene.seeded));
  }

  private enter(scene: Scene): Scene {
    this.scenes.push(scene);
    return scene;
  }
}
