/** What the work since the step before was, as `function_duration_seconds` names it; null: nothing of note. */
export type StepLabel = 'scaleUp:estimate' | 'scaleUp:buildPodEquivalenceGroups' | null;

/**
 * Long work that can be interrupted: after each step the caller may let other work of the process run. The domain
 * decides where, the application when.
 */
export type Steps<Result> = Generator<StepLabel, Result, void>;

/** Runs without a pause. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Starts a timer; the function it gives tells whether the time is up. */
export type StartTimer = (budgetMs: number) => () => boolean;

/** For callers without a time limit. */
export const noTimeLimit: StartTimer = () => () => false;
