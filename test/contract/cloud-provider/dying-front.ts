import type { Front } from '../../../src/sandbox/world/front.js';

/**
 * The network of a process that dies after so many requests: the last one is carried out and its answer lost, later ones
 * never arrive.
 */
export function dyingFront(front: Front, requests: number): Front {
  let left = requests;
  return {
    handle: async (request) => {
      if (left <= 0) return { status: 0, headers: {}, body: '', cut: true };
      left--;
      const response = await front.handle(request);
      return left <= 0 ? { ...response, cut: true } : response;
    },
  };
}
