export { readBaseUrl } from './base-url.js';
export { IsLabelMap, IsText, IsWholeNumber } from './constraints.js';
export { documentOf } from './document.js';
export { Findings } from './findings.js';
export { JsonSyntaxError, parseJson } from './json.js';
export type { JsonObject, JsonValue } from './json.js';
export { isJsonObject, withKnownKeys } from './known-keys.js';
export { isKubernetesKey, isLabelValue, isPrefixedName } from './label-syntax.js';
export {
  NODE_GROUP_OPTION_KEYS,
  NodeGroupOptionsDocument,
  readNodeGroupOptions,
} from './node-group-options.js';
export { Secret } from './secret.js';
export { TaintDocument, readTaints, taintDocuments } from './taint-document.js';
export { reportViolations } from './violations.js';
