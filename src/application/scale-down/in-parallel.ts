/** Runs the task for each item, at most `limit` at a time; the results are in the items' order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
