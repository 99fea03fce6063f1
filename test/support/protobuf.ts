/** A field of a message: a number is a varint, text and bytes are length-delimited. */
export type WireFieldInput = readonly [number: number, value: number | string | Buffer];

/** Bytes of one protobuf message. */
export function wireMessage(...fields: readonly WireFieldInput[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      const bytes = Buffer.from(value as string);
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

/** An object as Kubernetes wraps it. */
export function wireObject(apiVersion: string, kind: string, object: Buffer): Buffer {
  const type = wireMessage([1, apiVersion], [2, kind]);
  return Buffer.concat([Buffer.from('k8s\0'), wireMessage([1, type], [2, object], [3, ''], [4, ''])]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
