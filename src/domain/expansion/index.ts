export { chooseOption } from './choose-option.js';
export type { Chance, Choice, OptionVerdict, TieBreaker } from './choose-option.js';
export { buildExpanderChain, DEFAULT_EXPANDER_NAMES } from './expander-chain.js';
export type { ExpanderChainResult } from './expander-chain.js';
export { EXPANDER_NAMES } from './expander.js';
export type { DrawingExpander, Expander, ExpanderName, ScoringExpander } from './expander.js';
export type { ExpansionOption } from './expansion-option.js';
