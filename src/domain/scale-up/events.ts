import type { Pod } from '../kubernetes/pod.js';
import type { SizeChange } from '../node-group/distribute.js';
import type { EventText } from '../readiness/happenings.js';
import type { ClassReport } from './plan.js';
import type { ScaleUpResult } from './result.js';

/** An event about one pod. */
export interface PodEvent extends EventText {
  readonly pod: Pod;
}

/** What the pods are told (`scale-up` 5.11). */
export interface PodReport {
  readonly result: ScaleUpResult;
  /** Accepted growth. */
  readonly increases: readonly SizeChange[];
  readonly reports: readonly ClassReport[];
}

export function podEvents({ result, increases, reports }: PodReport): readonly PodEvent[] {
  if (increases.length > 0) {
    const message = `pod triggered scale-up: [${increases.map(renderChange).join(' ')}]`;
    return reports.flatMap(({ pods, triggered }) =>
      pods.slice(0, triggered).map((pod) => eventOf(pod, 'TriggeredScaleUp', message)),
    );
  }
  if (result === 'ScaleUpSuccessful' || result === 'ScaleUpError') return [];
  return reports.flatMap((report) => {
    if (report.others === 'awaiting') return [];
    const message = `pod didn't trigger scale-up: ${summarise(report)}`;
    return report.pods.slice(report.triggered).map((pod) => eventOf(pod, 'NotTriggerScaleUp', message));
  });
}

/** For pods that are not looked at because the cluster is full (`scale-up` 2.5). */
export function limitedByMaxNodesEvents(pods: readonly Pod[]): readonly PodEvent[] {
  const message = "pod didn't trigger scale-up: max total nodes in cluster reached";
  return pods.map((pod) => eventOf(pod, 'NotTriggerScaleUp', message));
}

export function maxNodesReachedEvent(maxNodesTotal: number): EventText {
  const message = `Max total nodes in cluster reached: ${maxNodesTotal}`;
  return { type: 'Warning', reason: 'MaxNodesTotalReached', message };
}

function eventOf(pod: Pod, reason: string, message: string): PodEvent {
  return { pod, type: 'Normal', reason, message };
}

function renderChange({ groupId, currentSize, newSize, maxSize }: SizeChange): string {
  return `{${groupId} ${currentSize}->${newSize} (max: ${maxSize})}`;
}

/** `<groups> <reason>`, most frequent first, then by text. */
function summarise({ rejected, skipped }: ClassReport): string {
  const counts = new Map<string, number>();
  for (const reasons of [...rejected.values(), ...skipped.values()]) {
    for (const text of new Set(reasons.map((reason) => reason.text))) {
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([leftText, left], [rightText, right]) => right - left || (leftText < rightText ? -1 : 1))
    .map(([text, count]) => `${count} ${text}`)
    .join(', ');
}
