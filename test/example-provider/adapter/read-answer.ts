import { TinycloudError } from './tinycloud-error.js';

/** A page of 50 machines is about 10 KiB; anything near this is no answer of the API. */
const BODY_BYTES_MAX = 1024 ** 2;

/** Reads no further than an answer may be long. */
export async function readBody(body: AsyncIterable<unknown> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > BODY_BYTES_MAX) {
      body.destroy();
      throw new TinycloudError('bad_answer', 'unknown', `the answer is larger than ${BODY_BYTES_MAX} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** An empty answer is an object without anything. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text) ?? {};
  } catch (error) {
    throw new TinycloudError('bad_answer', 'unknown', 'the answer is no JSON', { cause: error });
  }
}
