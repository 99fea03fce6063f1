/** An error with the type that metrics and status name. */
export interface TypedError {
  readonly type: string;
  readonly message: string;
}

/** One error for several, the same whatever their order (`scale-up` 1.2); null for none. */
export function combineErrors(errors: readonly TypedError[]): TypedError | null {
  const sorted = distinct(errors).sort(
    (left, right) => compareText(left.type, right.type) || compareText(left.message, right.message),
  );
  const [first, ...others] = sorted;
  if (first === undefined || others.length === 0) return first ?? null;
  const isMixed = others.some((error) => error.type !== first.type);
  const quoted = others.map(({ type, message }) =>
    JSON.stringify(isMixed ? `[${type}] ${message}` : message),
  );
  return { type: first.type, message: `${first.message} ...and other errors: [${quoted.join(', ')}]` };
}

function distinct(errors: readonly TypedError[]): TypedError[] {
  return errors.filter(
    (error, index) =>
      errors.findIndex((other) => other.type === error.type && other.message === error.message) === index,
  );
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
