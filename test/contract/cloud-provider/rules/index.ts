import type { ContractRule, RuleGroup } from '../contract-rule.js';
import { ERRORS } from './errors.js';
import { EXISTENCE } from './existence.js';
import { GROWTH } from './growth.js';
import { IDENTITY } from './identity.js';
import { LISTING } from './listing.js';
import { OFFERS } from './offers.js';
import { PERFORMANCE } from './performance.js';
import { REFRESH } from './refresh.js';
import { RELEASE } from './release.js';
import { RESTART } from './restart.js';
import { ROBUSTNESS } from './robustness.js';
import { TARGET } from './target.js';
import { TEMPLATE } from './template.js';
import { THROTTLING } from './throttling.js';

/** Version of the contract: it grows when a provider that kept all rules may have to change. */
export const CONTRACT_VERSION = 'v1';

/** The promises of a provider, in the order of `provider-contract` 3. */
export const RULE_GROUPS: readonly RuleGroup[] = [
  IDENTITY,
  LISTING,
  GROWTH,
  TARGET,
  RELEASE,
  TEMPLATE,
  OFFERS,
  EXISTENCE,
  ERRORS,
  THROTTLING,
  ROBUSTNESS,
  RESTART,
  REFRESH,
  PERFORMANCE,
];

export const CONTRACT_RULES: readonly ContractRule[] = RULE_GROUPS.flatMap(({ rules }) => rules);
