import type { DaemonSet, Workload } from '../kubernetes/workload.js';

type WorkloadKind = Workload['kind'];

/** Controllers by kind, namespace and name, as owner references name them. */
export class WorkloadIndex {
  private readonly byKind = new Map<string, Map<string, Map<string, Workload>>>();

  constructor(workloads: readonly Workload[], daemonSets: readonly DaemonSet[] = []) {
    for (const workload of workloads) this.add(workload);
    for (const { uid, namespace, name } of daemonSets) {
      this.add({ kind: 'DaemonSet', uid, namespace, name, replicas: 0, terminating: false });
    }
  }

  find(kind: WorkloadKind, namespace: string, name: string): Workload | undefined {
    return this.byKind.get(kind)?.get(namespace)?.get(name);
  }

  private add(workload: Workload): void {
    const namespaces = entry(this.byKind, workload.kind, () => new Map<string, Map<string, Workload>>());
    entry(namespaces, workload.namespace, () => new Map<string, Workload>()).set(workload.name, workload);
  }
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
