import { describeCloudProviderContract } from './describe-cloud-provider-contract.js';
import { makeHetznerSubject } from './hetzner-subject.js';

describeCloudProviderContract('Hetzner Cloud', makeHetznerSubject, {
  partialGrowth: true,
  staleAfterMs: 5 * 60_000,
  noticesWithinMs: 60_000,
  machineReadyMs: 60_000,
});
