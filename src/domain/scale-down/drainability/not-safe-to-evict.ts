import type { DrainRule } from './rule.js';
import { block } from './rule.js';

export const notSafeToEvict: DrainRule = (pod) =>
  pod.shape.directives.safeToEvict === 'false' ? block('NotSafeToEvictAnnotation') : undefined;
