import { answerPage } from '../api/listing.js';
import type { Listing } from '../api/listing.js';
import type { Answer, Call } from '../api/router.js';
import { actionView } from '../api/views.js';
import { ActionRunner } from '../state/action-runner.js';
import type { ActionRecord } from '../state/records.js';
import { ServerCreation } from '../state/server-creation.js';
import { ServerLifecycle } from '../state/server-lifecycle.js';
import type { HetznerWorld } from '../state/world.js';

/** What handlers work with. */
export class Services {
  readonly actions: ActionRunner;
  readonly lifecycle: ServerLifecycle;
  readonly creation: ServerCreation;

  constructor(readonly world: HetznerWorld) {
    this.actions = new ActionRunner(world);
    this.lifecycle = new ServerLifecycle(world, this.actions);
    this.creation = new ServerCreation(world, this.actions, this.lifecycle);
  }

  page<T>(call: Call, listing: Listing<T>): Answer {
    const { strictPageSize, shuffledDefaultOrder } = this.world.settings;
    return answerPage(call, listing, {
      strictPageSize,
      ...(shuffledDefaultOrder ? { shuffle: <U>(items: readonly U[]) => this.shuffled(items) } : {}),
    });
  }

  answerAction(action: ActionRecord, status = 201): Answer {
    return { status, body: { action: actionView(action, this.world.now()) } };
  }

  private shuffled<U>(items: readonly U[]): readonly U[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.world.random.int(rest.length), 1)[0]!);
  }
}

/** Fields by which most resources can be sorted. */
export const BY_ID_NAME_CREATED = {
  id: (item: { readonly id: number }) => item.id,
  name: (item: { readonly name: string | null }) => item.name ?? '',
  created: (item: { readonly createdMs: number }) => item.createdMs,
};
