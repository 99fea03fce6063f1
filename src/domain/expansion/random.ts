import type { DrawingExpander } from './expander.js';

/** Leaves one option by chance, so nothing may follow it. */
export const randomExpander: DrawingExpander = { name: 'random', draw: true };
