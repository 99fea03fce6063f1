import type { Clock } from '../../../application/ports/clock.js';

/** Client-side limit of requests: `--kube-client-qps` and `--kube-client-burst`. Waits in order of arrival. */
export class TokenBucket {
  private tokens: number;
  private refilledMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly limits: { readonly perSecond: number; readonly burst: number },
  ) {
    this.tokens = limits.burst;
    this.refilledMs = clock.now();
  }

  /** Takes a token, in debt if need be, and waits until the debt is paid. No limit when `perSecond` is not positive. */
  async take(signal?: AbortSignal): Promise<void> {
    const { perSecond, burst } = this.limits;
    if (perSecond <= 0) return;
    const nowMs = this.clock.now();
    const earned = (Math.max(0, nowMs - this.refilledMs) / 1000) * perSecond;
    this.tokens = Math.min(burst, this.tokens + earned) - 1;
    this.refilledMs = nowMs;
    if (this.tokens >= 0) return;
    await this.clock.sleep((-this.tokens / perSecond) * 1000, signal);
  }
}
