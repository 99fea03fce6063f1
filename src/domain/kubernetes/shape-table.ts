import type { PodShape } from './pod.js';

/** A shape before it has an id. */
export type PodShapeParts = Omit<PodShape, 'id'>;

/** Sweep for dead entries once the table has grown by this many: bounds the table by the number of live shapes. */
const SWEEP_AFTER_INSERTIONS = 1_024;

/**
 * Interns pod shapes: equal parts give the same object. Shapes that nobody holds any more are forgotten, so a cluster
 * that rolls its deployments for months does not fill the table.
 */
export class ShapeTable {
  private readonly shapes = new Map<string, WeakRef<PodShape>>();
  private nextId = 0;
  private insertions = 0;

  intern(parts: PodShapeParts): PodShape {
    const key = canonicalText(parts);
    const known = this.shapes.get(key)?.deref();
    if (known !== undefined) return known;
    const shape: PodShape = { id: this.nextId++, ...parts };
    this.shapes.set(key, new WeakRef(shape));
    if (++this.insertions >= SWEEP_AFTER_INSERTIONS) this.sweep();
    return shape;
  }

  /** Entries, dead ones included until the next sweep. */
  get size(): number {
    return this.shapes.size;
  }

  private sweep(): void {
    this.insertions = 0;
    for (const [key, shape] of this.shapes) if (shape.deref() === undefined) this.shapes.delete(key);
  }
}

/** Text that is equal exactly for equal parts, whatever the order of maps. */
function canonicalText(parts: PodShapeParts): string {
  return JSON.stringify(parts, (_key, value: unknown) => {
    if (value instanceof Map) return ['map', ...[...(value as Map<string, unknown>).entries()].sort(byFirst)];
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value as Record<string, unknown>).sort(byFirst));
    }
    return value;
  });
}

function byFirst(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0;
}
