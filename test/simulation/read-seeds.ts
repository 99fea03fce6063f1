/** `1-4,9` as numbers. */
export function readSeeds(text: string): readonly number[] {
  return text.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
