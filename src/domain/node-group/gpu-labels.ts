import type { Node } from '../kubernetes/node.js';
import { GPU_RESOURCES } from '../readiness/not-ready-copies.js';

/** Labels of scale-up metrics that tell GPU groups apart (`scale-up` Appendix B). Empty where there is no GPU. */
export interface GpuMetricLabels {
  readonly gpu_resource_name: string;
  readonly gpu_name: string;
}

/**
 * The type itself is not named: no provider lists the types that it knows, and free text must not become a label.
 */
export function gpuMetricLabels(template: Node | undefined, gpuLabel: string): GpuMetricLabels {
  const resource = GPU_RESOURCES.find((name) => (template?.capacity.get(name) ?? 0) > 0) ?? '';
  const type = template?.labels.get(gpuLabel);
  if (type === undefined) return { gpu_resource_name: resource, gpu_name: resource === '' ? '' : 'generic' };
  if (resource === '') return { gpu_resource_name: '', gpu_name: 'missing-gpu' };
  return { gpu_resource_name: resource, gpu_name: type === '' ? 'generic' : 'not-listed' };
}
