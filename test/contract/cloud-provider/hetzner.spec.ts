import { describeProviderContract } from './describe-provider-contract.js';
import { HETZNER_CAPABILITIES } from './hetzner-capabilities.js';
import { makeHetznerSubject } from './hetzner-subject.js';

describeProviderContract('Hetzner Cloud', makeHetznerSubject, HETZNER_CAPABILITIES);
