import type { Node } from '../../domain/kubernetes/node.js';
import { gpuResourceOf, isGpuNode } from '../../domain/scale-down/index.js';

/**
 * Labels of the GPU series. No cloud here keeps a list of GPU types, so a labelled one is `not-listed`; `generic` is
 * a GPU without label, `missing-gpu` a label without GPU.
 */
export function gpuMetricLabels(node: Node, gpuLabel: string) {
  const resource = gpuResourceOf(node) ?? '';
  if (!isGpuNode(node, gpuLabel)) {
    return { gpu_resource_name: resource, gpu_name: resource === '' ? '' : 'generic' };
  }
  return resource === ''
    ? { gpu_resource_name: 'nvidia.com/gpu', gpu_name: 'missing-gpu' }
    : { gpu_resource_name: resource, gpu_name: 'not-listed' };
}
