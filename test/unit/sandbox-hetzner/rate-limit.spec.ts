import { simulatedCloud } from './simulated-cloud.js';
import type { SimulatedCloud } from './simulated-cloud.js';

const limits = async ({ get }: SimulatedCloud) => {
  const { status, headers } = await get('/locations');
  return [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']];
};

const T0_SECONDS = Date.UTC(2026, 0, 1) / 1000;

describe('The rate limit of the simulated Hetzner API', () => {
  it('is 3600 requests an hour, and says when the bucket will be full again', async () => {
    const world = simulatedCloud();
    expect(await limits(world)).toEqual([200, '3600', '3599', `${T0_SECONDS + 1}`]);
    expect(await limits(world)).toEqual([200, '3600', '3598', `${T0_SECONDS + 2}`]);
  });

  it('refuses requests when it is used up, until enough time has passed', async () => {
    const world = simulatedCloud();
    world.cloud.setRateLimit(60, 1);
    expect(await limits(world)).toEqual([200, '60', '0', `${T0_SECONDS + 3600}`]);
    const refused = await world.get('/locations');
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error: { code: 'rate_limit_exceeded', message: 'limit of 60 requests per hour reached', details: null },
    });
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    await world.clock.advance(59_000);
    expect((await world.get('/locations')).status).toBe(429);
    await world.clock.advance(1_000);
    expect((await world.get('/locations')).status).toBe(200);
    await world.clock.advance(10 * 3_600_000);
    expect(await limits(world)).toEqual([200, '60', '59', expect.any(String)]);
  });

  it('is shared with others who use the project', async () => {
    const world = simulatedCloud();
    world.cloud.setRateLimit(3600, 100);
    world.cloud.project().rateLimit.setBackgroundUse(120);
    await world.clock.advance(60_000);
    expect((await limits(world))[2]).toBe('39');
    await world.clock.advance(3_600_000);
    expect((await limits(world))[0]).toBe(429);
  });
});
