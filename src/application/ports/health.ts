export type HealthVerdict =
  | { readonly healthy: true }
  /** `reason` is the body of the answer. */
  | { readonly healthy: false; readonly reason: string };

/** Whether the process should go on living: what the liveness probe asks (`interface` 3.3). Answers at once. */
export interface HealthProbe {
  check(): HealthVerdict;
}

export const HealthProbe = Symbol('HealthProbe');
