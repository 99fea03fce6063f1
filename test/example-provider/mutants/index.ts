import { ERROR_MUTANTS } from './errors.js';
import { GROWTH_MUTANTS } from './growth.js';
import { IDENTITY_MUTANTS } from './identity.js';
import { LISTING_MUTANTS } from './listing.js';
import type { Mutant } from './mutant.js';
import { RELEASE_MUTANTS } from './release.js';
import { FURTHER_MUTANTS } from './time-and-robustness.js';

export type { Mutant };

/** One for each rule that Tinycloud can break. */
export const MUTANTS: readonly Mutant[] = [
  ...IDENTITY_MUTANTS,
  ...LISTING_MUTANTS,
  ...GROWTH_MUTANTS,
  ...RELEASE_MUTANTS,
  ...ERROR_MUTANTS,
  ...FURTHER_MUTANTS,
];
