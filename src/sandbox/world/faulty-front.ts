import type { FaultAction, FaultPlan } from './fault-plan.js';
import type { Front, FrontRequest, FrontResponse } from './front.js';
import type { WorldClock } from './world-clock.js';

export const TRANSPORT_FAULTS: ReadonlySet<FaultAction['kind']> = new Set([
  'commit-then-answer',
  'cut-before',
  'cut-after',
  'delay',
  'hang',
  'drop',
  'rewrite',
]);
export const ALL_FAULTS: ReadonlySet<FaultAction['kind']> = new Set([...TRANSPORT_FAULTS, 'answer']);

const CUT: FrontResponse = { status: 0, headers: {}, body: '', cut: true };

/** Puts the faults of a plan between the clients and any front. */
export class FaultyFront implements Front {
  constructor(
    private readonly inner: Front,
    private readonly plan: FaultPlan,
    private readonly clock: WorldClock,
    /** Kinds acted upon here; a front that acts on some kinds by itself leaves them out. */
    private readonly kinds: ReadonlySet<FaultAction['kind']> = ALL_FAULTS,
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    let last: FaultAction | null = null;
    for (const action of this.plan.actionsFor(request, this.kinds)) {
      if (action.kind === 'delay') await this.clock.sleep(action.ms, request.signal);
      else last = action;
    }
    return last === null ? this.inner.handle(request) : this.act(last, request);
  }

  private async act(action: FaultAction, request: FrontRequest): Promise<FrontResponse> {
    switch (action.kind) {
      case 'answer':
        return answerOf(action);
      case 'commit-then-answer':
        await this.inner.handle(request);
        return answerOf(action);
      case 'cut-before':
        return CUT;
      case 'cut-after':
        await this.inner.handle(request);
        return CUT;
      case 'rewrite':
        return action.change(await this.inner.handle(request));
      case 'hang':
        await this.clock.sleep(action.untilMs - this.clock.now(), request.signal);
        return this.inner.handle(request);
      case 'drop':
        await untilGone(request.signal);
        return CUT;
      case 'delay':
        return this.inner.handle(request);
    }
  }
}

export function answerOf(action: FaultAction & { kind: 'answer' | 'commit-then-answer' }): FrontResponse {
  return {
    status: action.status,
    headers: { 'content-type': 'application/json', ...action.headers },
    body: action.body,
  };
}

function untilGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
