import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { rejection } from '../scene.js';

export const OFFERS: RuleGroup = {
  title: 'Offers and price',
  rules: [
    {
      id: 'P1',
      sentence: 'Every group has a price for an hour, in the declared currency',
      why: 'U066, hetzner B15: without prices a 32-core machine was bought for a pod of 0.1 CPU',
      mandatory: false,
      liveSafe: true,
      cost: 0,
      port: ['C10'],
      needs: ['prices'],
      check: prices,
    },
    {
      id: 'P2',
      sentence: 'The last price stays while the cloud is away',
      why: 'U041, hetzner B35: a failed fetch of the catalogue ended every growth',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4', 'C10'],
      needs: ['prices'],
      check: stalePrices,
    },
    {
      id: 'P3',
      sentence: 'An offer that was withdrawn fails its own group as `configuration`, by name, and no other',
      why: 'U010: a type that was withdrawn stopped every cluster on that cloud',
      mandatory: false,
      liveSafe: false,
      cost: 1,
      port: ['C5', 'C10'],
      needs: ['catalogue'],
      check: withdrawn,
    },
    {
      id: 'P4',
      sentence: 'The least time that is paid for is declared',
      why: 'U019: nodes came and went all day, and each began a paid hour',
      mandatory: false,
      liveSafe: true,
      cost: 0,
      port: [],
      needs: ['prices'],
      check: billingStep,
    },
  ],
};

async function prices(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  for (const groupId of scene.groupIds()) {
    expect(scene.provider.template(groupId).pricePerHour).toBeGreaterThan(0);
  }
  expect(bench.capabilities.prices?.currency).toMatch(/^[A-Z]{3}$/);
}

async function stalePrices(bench: Bench): Promise<void> {
  const { staleAfterMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 1 });
  const { pricePerHour } = scene.provider.template('alpha');
  scene.wire.fail('any', { kind: 'no-connection' });
  await scene.loop(2 * Math.max(staleAfterMs, noticesWithinMs));
  expect(scene.provider.template('alpha').pricePerHour).toBe(pricePerHour);
}

async function withdrawn(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.cloud.spoil('alpha');
  await scene.loop(bench.capabilities.times.noticesBadGroupsWithinMs);
  const error = await rejection(scene.grow('alpha', 1));
  expect(error).toBeInstanceOf(CloudError);
  expect((error as CloudError).kind).toBe('configuration');
  expect((error as CloudError).message).toContain(scene.cloud.offerOf('alpha'));
  expect(await scene.grow('beta', 1)).toEqual({ accepted: 1, failure: null });
}

function billingStep({ capabilities }: Bench): Promise<void> {
  expect(capabilities.prices?.billingStepMs).toBeGreaterThan(0);
  return Promise.resolve();
}
