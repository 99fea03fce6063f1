/** Whether a failed request may have been carried out. */
export type Outcome =
  /** The API answered no. */
  | 'refused'
  /** The request never left, or never reached the API. */
  | 'unsent'
  /** It may have been carried out. */
  | 'unknown';
