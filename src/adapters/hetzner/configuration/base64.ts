export type DecodedText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

const ALPHABET = /[A-Za-z0-9+/]/;

/**
 * Standard alphabet with padding; line breaks are ignored, everything else is an error (`hetzner` 1.2). The problem
 * names the offset, never the content.
 */
export function decodeBase64(encoded: string): DecodedText {
  for (let offset = 0; offset < encoded.length; offset++) {
    const character = encoded[offset]!;
    if (!ALPHABET.test(character) && !'=\r\n'.includes(character)) {
      return { ok: false, problem: `illegal base64 data at input byte ${offset}` };
    }
  }
  const compact = encoded.replace(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    return { ok: false, problem: `illegal base64 padding at input byte ${encoded.indexOf('=')}` };
  }
  if (compact.length % 4 !== 0) {
    return { ok: false, problem: `base64 data ends early at input byte ${encoded.length}` };
  }
  return { ok: true, text: Buffer.from(compact, 'base64').toString('utf8') };
}

const BOOT_SCRIPT_STARTS = [
  '#',
  'Content-Type:',
  'MIME-Version',
  'version:',
  'machine:',
  '{',
  '\u001f\u008b',
];

function looksLikeBootScript(text: string): boolean {
  return BOOT_SCRIPT_STARTS.some((start) => text.startsWith(start));
}

/** A boot script that was encoded once more than the format asks for. */
export function looksEncodedTwice(bootScript: string): boolean {
  if (bootScript === '' || looksLikeBootScript(bootScript)) return false;
  const decoded = decodeBase64(bootScript);
  return decoded.ok && looksLikeBootScript(decoded.text);
}
