/** Put in by the build; absent when the sources run unbundled. */
declare const EVENKEEL_VERSION: string | undefined;

/** `dev` if not stamped at build. */
export const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : 'dev';
