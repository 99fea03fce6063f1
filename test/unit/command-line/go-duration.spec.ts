import { parseGoDuration, renderGoDuration } from '../../../src/domain/go-duration.js';

describe('Go durations', () => {
  it.each([
    ['0s', 0],
    ['10m0s', 600_000],
    ['87600h0m0s', 87_600 * 3_600_000],
    ['1m30s', 90_000],
    ['1.5s', 1_500],
    ['250ms', 250],
    ['1.5ms', 1.5],
    ['100µs', 0.1],
    ['7ns', 0.000_007],
    ['-1h2m3.25s', -3_723_250],
    ['2562047h47m16.854s', 9_223_372_036_854],
  ])('%s stands for %d ms, both ways', (text, ms) => {
    expect(renderGoDuration(ms)).toBe(text);
    expect(parseGoDuration(text)).toBeCloseTo(ms, 7);
  });

  it.each(['', '+', '10', '1d', '1 s', '1m-2s', '.s', '1h1', 'inf'])('%j is none', (text) => {
    expect(parseGoDuration(text)).toBeNull();
  });
});
