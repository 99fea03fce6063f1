import { randomBytes } from 'node:crypto';
import { injectable } from 'inversify';
import type { Random } from '../../application/ports/random.js';

/** Randomness of the operating system for names, of the engine for jitter. */
@injectable()
export class SystemRandom implements Random {
  next(): number {
    return Math.random();
  }

  hex(digits: number): string {
    return randomBytes(Math.ceil(digits / 2))
      .toString('hex')
      .slice(0, digits);
  }
}
