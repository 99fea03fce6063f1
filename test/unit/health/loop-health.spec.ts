import { LoopHealth } from '../../../src/application/health/loop-health.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import { T0 } from '../../support/builders.js';

const SECOND = 1_000;

function monitored(limits: { inactivity: number; failing: number; startup: number }): {
  health: LoopHealth;
  at: (seconds: number) => void;
  isHealthy: () => boolean;
} {
  let nowMs = T0;
  const clock: Clock = { now: () => nowMs, sleep: () => Promise.resolve(), yield: () => Promise.resolve() };
  const health = new LoopHealth(clock, {
    inactivityMsMax: limits.inactivity * SECOND,
    failingMsMax: limits.failing * SECOND,
    startupMsMax: limits.startup * SECOND,
  });
  return {
    health,
    at: (seconds) => {
      nowMs = T0 + seconds * SECOND;
    },
    isHealthy: () => health.check().healthy,
  };
}

describe('health of the loop', () => {
  // interface 9/19
  it('is good for ever while nothing is monitored', () => {
    const { at, isHealthy } = monitored({ inactivity: 1, failing: 1, startup: 5 });
    at(86_400);
    expect(isHealthy()).toBe(true);
  });

  // interface 9/26
  it('allows a loop that hangs from the start the start-up time, then the shorter limits after one good loop', () => {
    const { health, at, isHealthy } = monitored({ inactivity: 1, failing: 1, startup: 5 });
    at(100);
    health.startMonitoring();
    health.loopStarted();
    at(105);
    expect(isHealthy()).toBe(true);
    at(105.001);
    expect(isHealthy()).toBe(false);
    at(110);
    health.loopSucceeded();
    at(111);
    expect(isHealthy()).toBe(true);
    at(111.001);
    expect(isHealthy()).toBe(false);
  });

  // interface 9/27
  it('stays good while loops start and end well, and fails after the failing time without success', () => {
    const { health, at, isHealthy } = monitored({ inactivity: 60, failing: 900, startup: 1_200 });
    health.startMonitoring();
    for (let loop = 0; loop < 1_000; loop += 1) {
      at(loop * 10);
      health.loopStarted();
      health.loopSucceeded();
      expect(isHealthy()).toBe(true);
    }
    for (let loop = 1_000; loop <= 1_089; loop += 1) {
      at(loop * 10);
      health.loopStarted();
    }
    at(9_990 + 900);
    expect(isHealthy()).toBe(true);
    at(9_990 + 900.5);
    expect(isHealthy()).toBe(false);
  });

  it('says how old the last signs of life are', () => {
    const { health, at } = monitored({ inactivity: 600, failing: 900, startup: 1_200 });
    health.startMonitoring();
    health.loopSucceeded();
    at(300);
    health.loopStarted();
    at(900.25);
    expect(health.check()).toEqual({
      healthy: false,
      reason: 'Error: last activity more 10m0.25s ago, last success more than 15m0.25s ago',
    });
  });
});
