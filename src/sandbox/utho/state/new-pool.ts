import type { Pool } from './records.js';

/** What makes a pool; the rest is as the platform has it for a new one. */
export type PoolOrder = Pick<Pool, 'id' | 'planId' | 'count'> & Partial<Pool>;

export function newPool(order: PoolOrder): Pool {
  return {
    autoScale: false,
    minSize: undefined,
    maxSize: undefined,
    policies: [],
    ip: '',
    ebs: [],
    capacity: null,
    replacementsDue: 0,
    workers: [],
    distortion: {},
    ...order,
  };
}
