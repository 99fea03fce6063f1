import { kinds } from '../../sandbox/kubernetes/index.js';
import type { KubernetesCluster, Node } from '../../sandbox/kubernetes/index.js';
import type { Chronicle } from './chronicle.js';

/** Tells what happens in the cluster: nodes come, become ready or not, and go; with -v also where pods go. */
export function watchWorld(cluster: KubernetesCluster, chronicle: Chronicle): void {
  const { store } = cluster.registry;
  store.collection(kinds.NODES).listen(({ type, current, previous }) => {
    const { name } = current.object.metadata;
    if (type === 'ADDED') chronicle.tell('world', `node ${name} joins`);
    else if (type === 'DELETED') chronicle.tell('world', `node ${name} is gone`);
    else if (previous !== null && isReady(previous.object) !== isReady(current.object)) {
      chronicle.tell('world', `node ${name} is ${isReady(current.object) ? 'ready' : 'not ready'}`);
    }
  });
  store.collection(kinds.PODS).listen(({ type, current, previous }) => {
    const { metadata, spec } = current.object;
    // A pod that a story planted may be without a spec.
    const node = (spec as typeof spec | undefined)?.nodeName;
    const wasBound = previous?.object.spec?.nodeName !== undefined;
    if (type === 'DELETED') chronicle.tell('world', `pod ${metadata.name} is gone`, true);
    else if (node !== undefined && !wasBound)
      chronicle.tell('world', `pod ${metadata.name} goes to ${node}`, true);
  });
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}
