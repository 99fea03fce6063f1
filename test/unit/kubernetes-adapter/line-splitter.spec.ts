import { LineSplitter } from '../../../src/adapters/kubernetes/reading/line-splitter.js';

function split(chunks: readonly string[]): string[] {
  const splitter = new LineSplitter();
  return chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)).map((line) => line.toString()));
}

describe('LineSplitter', () => {
  test.each<[string[], string[]]>([
    [['{"a":1}\n{"b":2}\n'], ['{"a":1}', '{"b":2}']],
    [
      ['{"a"', ':1}', '\n{"b":2', '}\n{'],
      ['{"a":1}', '{"b":2}'],
    ],
    [['\n\n{"a":1}\n\n'], ['{"a":1}']],
    [['no end'], []],
  ])('cuts %j into %j', (chunks, lines) => {
    expect(split(chunks)).toEqual(lines);
  });

  test('keeps letters of several bytes whole wherever the stream is cut', () => {
    const bytes = Buffer.from('{"name":"世界😀"}\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const splitter = new LineSplitter();
      const lines = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut))];
      expect(lines.map((line) => line.toString())).toEqual(['{"name":"世界😀"}']);
    }
  });

  test('refuses a line without end', () => {
    const splitter = new LineSplitter();
    expect(() => {
      for (let count = 0; count < 17; count++) splitter.push(Buffer.alloc(1024 * 1024, 'x'));
    }).toThrow(RangeError);
  });
});
