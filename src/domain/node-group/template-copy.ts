import { HOSTNAME_LABEL } from '../kubernetes/labels.js';
import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import type { NodeTemplate } from './node-group.js';

/** A node for simulations with the pods that run on it from the start. */
export interface SimulatedNode {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/** One fresh node of the group, `<template name>-<suffix>`: its own host name, everything else as the template. */
export function copyOfTemplate(template: NodeTemplate, suffix: string): SimulatedNode {
  const name = `${template.node.name}-${suffix}`;
  const node = renamedNode(template.node, name);
  return { node, pods: template.pods.map((pod) => podOnNode(pod, name)) };
}

/** The node under a name of its own, with uid and host name label to match. */
export function renamedNode(node: Node, name: string): Node {
  const labels = new Map(node.labels).set(HOSTNAME_LABEL, name);
  return { ...node, name, uid: `simulated/${name}`, labels, providerId: '', resourceVersion: '' };
}

/** A pod like this one on another node; every pod of a simulation needs a name and uid of its own. */
export function podOnNode(pod: Pod, nodeName: string): Pod {
  return {
    ...pod,
    uid: `simulated/${nodeName}/${pod.namespace}/${pod.name}`,
    name: `${pod.name}-${nodeName}`,
    nodeName,
    pinnedNodeName: pod.pinnedNodeName === '' ? '' : nodeName,
  };
}
