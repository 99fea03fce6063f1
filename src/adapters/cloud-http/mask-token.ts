/** Shorter ones are no key of any cloud, and replacing them would garble answers. */
const TOKEN_CHARACTERS_MIN = 8;

/** Takes a token out of whatever the other side said, in the spellings of JSON, too. */
export function tokenMask(token: string): (text: string) => string {
  if (token.length < TOKEN_CHARACTERS_MIN) return (text) => text;
  const inJson = JSON.stringify(token).slice(1, -1);
  // PHP escapes slashes.
  const spellings = new Set([token, inJson, inJson.replaceAll('/', '\\/')]);
  return (text) => [...spellings].reduce((masked, spelling) => masked.replaceAll(spelling, '(secret)'), text);
}
