/** Bytes that are no protobuf. */
export class WireError extends Error {}

/** One field as it stands on the wire. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** The fields of one message, in order. Throws a WireError. */
export function* wireFields(bytes: Buffer): Generator<WireField> {
  const cursor = { at: 0 };
  while (cursor.at < bytes.length) {
    const tag = Number(readVarint(bytes, cursor));
    yield { number: tag >>> 3, value: readValue(bytes, cursor, tag & 7) };
  }
}

function readValue(bytes: Buffer, cursor: { at: number }, wireType: number): bigint | Buffer {
  switch (wireType) {
    case 0:
      return readVarint(bytes, cursor);
    case 1:
      return take(bytes, cursor, 8);
    case 2:
      return take(bytes, cursor, Number(readVarint(bytes, cursor)));
    case 5:
      return take(bytes, cursor, 4);
    default:
      throw new WireError(`wire type ${wireType}`);
  }
}

function take(bytes: Buffer, cursor: { at: number }, length: number): Buffer {
  const end = cursor.at + length;
  if (end > bytes.length) throw new WireError('the message ends too early');
  const part = bytes.subarray(cursor.at, end);
  cursor.at = end;
  return part;
}

/** Bytes of a number of 64 bits. */
const VARINT_BYTES_MAX = 10;

function readVarint(bytes: Buffer, cursor: { at: number }): bigint {
  let value = 0n;
  for (let index = 0; index < VARINT_BYTES_MAX; index++) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return BigInt.asIntN(64, value);
  }
  throw new WireError('a number without an end');
}
