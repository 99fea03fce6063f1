import type { FrontRequest } from '../../world/front.js';

/** Numbers of requests, from 1 on in order of arrival, by which events name their causes. */
export class RequestNumbers {
  private readonly numbers = new WeakMap<FrontRequest, number>();
  private last = 0;

  of(request: FrontRequest): number {
    const number = this.numbers.get(request) ?? ++this.last;
    this.numbers.set(request, number);
    return number;
  }
}
