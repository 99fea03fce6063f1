/** A condition as it stands in many statuses. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastProbeTime?: string | null;
  readonly lastUpdateTime?: string;
  readonly observedGeneration?: number;
}

export function conditionStatus(
  conditions: readonly Condition[] | undefined,
  type: string,
): string | undefined {
  return conditions?.find((condition) => condition.type === type)?.status;
}

/** The list with this condition set; the transition time moves only when the status does. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  condition: Condition,
  now: string,
): Condition[] {
  const list = conditions ?? [];
  const before = list.find((other) => other.type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  const updated = { ...condition, lastTransitionTime };
  return before === undefined
    ? [...list, updated]
    : list.map((other) => (other.type === condition.type ? updated : other));
}
