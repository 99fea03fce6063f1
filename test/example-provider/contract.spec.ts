import { describeCloudProviderContract } from '../contract/cloud-provider/describe-cloud-provider-contract.js';
import { BOOT_MS } from './fake/tinycloud.js';
import { makeTinycloudSubject } from './tinycloud-subject.js';

describeCloudProviderContract('Tinycloud, the example of docs/extending.md', makeTinycloudSubject, {
  partialGrowth: true,
  staleAfterMs: 5 * 60_000,
  noticesWithinMs: 10_000,
  machineReadyMs: BOOT_MS + 10_000,
});
