/** What the chain says about one pod and one node (`scheduling` 0.3, 7.2). */
export type OracleVerdict =
  | { readonly fit: true }
  | {
      readonly fit: false;
      readonly plugin: string;
      readonly reasons: readonly string[];
      readonly message?: string;
    };

export const PRE_FILTER_FAILED = 'PreFilter failed';
export const PRE_FILTER_EXCLUDED = 'PreFilter filtered the Node out';
