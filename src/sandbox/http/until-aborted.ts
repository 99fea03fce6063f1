/**
 * The chunks of the source until it ends or the signal aborts, whichever comes first; then the source is told to
 * stop. A source that fails after that is nobody's business.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOrAbort(chunks, signal);
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    void chunks.return?.().then(undefined, () => undefined);
  }
}

/** Null once aborted. Leaves no listener behind, so that a long stream costs no memory. */
async function nextOrAbort<T>(
  chunks: AsyncIterator<T>,
  signal: AbortSignal,
): Promise<IteratorResult<T> | null> {
  if (signal.aborted) return null;
  let onAbort = (): void => undefined;
  const aborted = new Promise<null>((resolve) => {
    onAbort = (): void => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([chunks.next(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
