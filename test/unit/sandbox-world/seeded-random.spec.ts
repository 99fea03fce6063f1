import { SeededRandom } from '../../../src/sandbox/world/index.js';

const draw = (random: SeededRandom, count: number): number[] =>
  Array.from({ length: count }, () => random.next());

describe('SeededRandom', () => {
  it('repeats its stream for the same seed, number or text, and differs for others', () => {
    expect(draw(new SeededRandom(5), 10)).toEqual(draw(new SeededRandom(5), 10));
    expect(draw(new SeededRandom('a'), 10)).toEqual(draw(new SeededRandom('a'), 10));
    expect(draw(new SeededRandom(5), 10)).not.toEqual(draw(new SeededRandom(6), 10));
  });

  it('is spread evenly over [0, 1)', () => {
    const numbers = draw(new SeededRandom(1), 20_000);
    const tenths = new Array<number>(10).fill(0);
    for (const number of numbers) tenths[Math.floor(number * 10)]!++;
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
  });

  it('gives whole numbers, picks, digits and spreads within their bounds', () => {
    const random = new SeededRandom(2);
    const whole = new Set(Array.from({ length: 200 }, () => random.int(3)));
    expect([...whole].sort()).toEqual([0, 1, 2]);
    expect(['x', 'y']).toContain(random.pick(['x', 'y']));
    expect(() => random.pick([])).toThrow('nothing to pick from');
    expect(random.hex(0)).toBe('');
    expect(random.hex(19)).toMatch(/^[0-9a-f]{19}$/);
    for (let index = 0; index < 100; index++) {
      const number = random.around(8, 4);
      expect(number).toBeGreaterThanOrEqual(4);
      expect(number).toBeLessThanOrEqual(12);
    }
  });

  it('forks streams that depend on seed and name only', () => {
    const one = new SeededRandom(3);
    const other = new SeededRandom(3);
    draw(one, 17);
    expect(draw(one.fork('a'), 5)).toEqual(draw(other.fork('a'), 5));
    expect(draw(one.fork('a'), 5)).not.toEqual(draw(one.fork('b'), 5));
  });
});
