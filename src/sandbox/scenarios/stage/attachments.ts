import { kinds } from '../../kubernetes/index.js';
import type { KubernetesCluster } from '../../kubernetes/index.js';
import type { WorldClock } from '../../world/index.js';
import type { AttachmentDocument } from '../format/world-shape.js';
import { attachmentManifest } from './manifests.js';

const DETACH_MS = 5_000;

/** Volumes that stay attached for a while after the last pod that uses them has left the node. */
export class Attachments {
  private readonly waiting = new Set<AttachmentDocument>();
  private isListening = false;

  constructor(
    private readonly cluster: KubernetesCluster,
    private readonly clock: WorldClock,
  ) {}

  add(attachment: AttachmentDocument): void {
    this.cluster.create(attachmentManifest(attachment));
    this.waiting.add(attachment);
    if (this.isListening) return;
    this.isListening = true;
    this.cluster.registry.store.collection(kinds.PODS).listen(({ type, current }) => {
      if (type === 'DELETED') this.podGone(current.object.spec.nodeName ?? '');
    });
  }

  private podGone(node: string): void {
    for (const attachment of this.waiting) {
      if (attachment.node !== node || this.isUsed(node)) continue;
      this.waiting.delete(attachment);
      this.clock.schedule(attachment.goneAfter ?? DETACH_MS, () => this.detach(attachment));
    }
  }

  private isUsed(node: string): boolean {
    return this.cluster.pods().some(({ spec }) => spec.nodeName === node && 'volumes' in spec);
  }

  private detach(attachment: AttachmentDocument): void {
    const { metadata } = attachmentManifest(attachment);
    const kind = kinds.KINDS.find(({ plural }) => plural === 'volumeattachments')!;
    if (this.cluster.get(kind, metadata?.name ?? '') !== undefined)
      this.cluster.delete(kind, metadata?.name ?? '');
  }
}
