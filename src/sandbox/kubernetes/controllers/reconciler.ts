import { ApiError } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';
import type { ObjectRef, Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import type { ScheduledTask } from '../../world/world-clock.js';

/** Time between a change and the reaction of a controller; changes within it are handled once. */
const REACTION_MS = 50;
/** Objects handled in one task, so that a real process stays responsive. */
const BATCH_MAX = 100;
/** Pause after a refused write. */
const RETRY_MS = 1_000;

interface Source {
  readonly kind: Kind;
  readonly affected: (event: StoreEvent) => readonly ObjectRef[];
}

/**
 * The loop of a controller: changes name objects, and each named object is brought nearer to its wish. Knows when to
 * work; the function that it is given knows what.
 */
export class Reconciler {
  private readonly sources: Source[] = [];
  private readonly unsubscribe: (() => void)[] = [];
  private readonly queued = new Map<string, ObjectRef>();
  private readonly delayed = new Map<string, { readonly atMs: number; readonly task: ScheduledTask }>();
  private drain: ScheduledTask | null = null;

  constructor(
    private readonly registry: Registry,
    private readonly reconcile: (ref: ObjectRef, reconciler: Reconciler) => void,
  ) {}

  /** Changes of this kind concern the objects that `affected` names. */
  watch<T extends KubeObject>(kind: Kind<T>, affected: (event: StoreEvent<T>) => readonly ObjectRef[]): this {
    this.sources.push({ kind, affected } as unknown as Source);
    return this;
  }

  /** The objects of this kind are those that are reconciled. */
  watchOwn(kind: Kind): this {
    return this.watch(kind, (event) => [refOf(event.current.object)]);
  }

  start(): void {
    for (const { kind, affected } of this.sources) {
      const collection = this.registry.store.collection(kind);
      this.unsubscribe.push(collection.listen((event) => this.addAll(affected(event))));
      for (const current of collection.values()) {
        this.addAll(affected({ type: 'ADDED', current, previous: null }));
      }
    }
  }

  stop(): void {
    for (const stop of this.unsubscribe.splice(0)) stop();
    for (const { task } of this.delayed.values()) task.cancel();
    this.drain?.cancel();
    this.drain = null;
    this.delayed.clear();
    this.queued.clear();
  }

  add(ref: ObjectRef): void {
    this.queued.set(keyOf(ref), ref);
    this.drain ??= this.registry.clock.schedule(REACTION_MS, () => this.run());
  }

  /** Looks at the object again then; of several such times the earliest counts. */
  addAfter(ref: ObjectRef, delayMs: number): void {
    const key = keyOf(ref);
    const atMs = this.registry.clock.now() + delayMs;
    const known = this.delayed.get(key);
    if (known !== undefined && known.atMs <= atMs) return;
    known?.task.cancel();
    const task = this.registry.clock.schedule(delayMs, () => {
      this.delayed.delete(key);
      this.add(ref);
    });
    this.delayed.set(key, { atMs, task });
  }

  private addAll(refs: readonly ObjectRef[]): void {
    for (const ref of refs) this.add(ref);
  }

  private run(): void {
    this.drain = null;
    for (const [key, ref] of [...this.queued].slice(0, BATCH_MAX)) {
      this.queued.delete(key);
      this.runOne(ref);
    }
    if (this.queued.size > 0) this.drain ??= this.registry.clock.schedule(0, () => this.run());
  }

  private runOne(ref: ObjectRef): void {
    try {
      this.reconcile(ref, this);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.addAfter(ref, RETRY_MS);
    }
  }
}

export function refOf(object: KubeObject): ObjectRef {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

function keyOf({ namespace, name }: ObjectRef): string {
  return `${namespace}/${name}`;
}
