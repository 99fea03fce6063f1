import { describeProviderContract } from './describe-provider-contract.js';
import { UTHO_CAPABILITIES } from './utho-capabilities.js';
import { makeUthoSubject } from './utho-subject.js';

describeProviderContract('Utho', makeUthoSubject, UTHO_CAPABILITIES);
