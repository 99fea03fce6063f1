export { chooseTemplates, DEFAULT_TEMPLATE_EXPIRE_MS } from './choose-templates.js';
export type {
  CachedTemplate,
  ChosenTemplates,
  TemplateInput,
  TemplateMemory,
  TemplatePolicy,
} from './choose-templates.js';
export { distribute } from './distribute.js';
export type { BalancedGroup, SizeChange } from './distribute.js';
export { gpuMetricLabels } from './gpu-labels.js';
export type { GpuMetricLabels } from './gpu-labels.js';
export { clusterWideQuota, DEFAULT_RESOURCE_LIMITS, QuotaTracker } from './quota-tracker.js';
export type { ExceededQuota, Quota, QuotaUsage, QuotaVerdict, ResourceLimits } from './quota-tracker.js';
export { TEMPLATE_NODE_LABEL } from './sanitise-template.js';
export { areSimilar, DEFAULT_SIMILARITY_POLICY } from './similarity.js';
export type { SimilarityPolicy } from './similarity.js';
export { copyOfTemplate, podOnNode, renamedNode } from './template-copy.js';
export type { SimulatedNode } from './template-copy.js';
