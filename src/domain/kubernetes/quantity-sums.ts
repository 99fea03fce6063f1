import type { QuantityList } from './pod-json.js';
import { QuantityError, readQuantity } from './quantity.js';
import type { Quantity } from './quantity.js';

/** Exact amounts by resource name, while a request is being computed. */
export type QuantitySums = Map<string, Quantity>;

const NOTHING: QuantityList = {};

/**
 * Reads a list of amounts; a missing list is empty.
 * @throws QuantityError for a text that is no quantity, and for a negative amount
 */
export function readAmounts(list: QuantityList | null | undefined): QuantitySums {
  const amounts: QuantitySums = new Map();
  for (const [name, written] of Object.entries(list ?? NOTHING)) {
    const quantity = readQuantity(written);
    if (quantity.nano < 0n) throw new QuantityError('negative', 'must not be negative', String(written));
    amounts.set(name, quantity);
  }
  return amounts;
}

export function addInto(target: QuantitySums, amounts: QuantitySums): void {
  for (const [name, amount] of amounts) {
    const sum = target.get(name);
    target.set(name, sum === undefined ? amount : { ...sum, nano: sum.nano + amount.nano });
  }
}

export function raiseTo(target: QuantitySums, amounts: QuantitySums): void {
  for (const [name, amount] of amounts) {
    const current = target.get(name);
    if (current === undefined || current.nano < amount.nano) target.set(name, amount);
  }
}
