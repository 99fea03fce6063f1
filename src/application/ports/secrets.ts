/**
 * Values that must never be shown. Adapters register each secret as soon as they know it (tokens, cloud-init with
 * join tokens); whatever is logged afterwards has it replaced. A safety net: nobody may hand secrets to the log.
 */
export interface Secrets {
  register(value: string): void;
}

export const Secrets = Symbol('Secrets');
