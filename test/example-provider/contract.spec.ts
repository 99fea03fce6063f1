import { describeProviderContract } from '../contract/cloud-provider/describe-provider-contract.js';
import { TINYCLOUD_CAPABILITIES } from './tinycloud-capabilities.js';
import { makeTinycloudSubject } from './tinycloud-subject.js';

describeProviderContract(
  'Tinycloud, the example of docs/extending.md',
  makeTinycloudSubject,
  TINYCLOUD_CAPABILITIES,
);
