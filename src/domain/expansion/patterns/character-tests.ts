import { PatternError } from './expression.js';
import type { CharacterTest } from './expression.js';

const NEWLINE = 10;

export const ANY_BUT_NEWLINE: CharacterTest = (character) => character !== NEWLINE;
export const ANY: CharacterTest = () => true;

export function range(from: number, to: number): CharacterTest {
  return (character) => character >= from && character <= to;
}

export function anyOf(tests: readonly CharacterTest[]): CharacterTest {
  return (character) => tests.some((test) => test(character));
}

export function not(test: CharacterTest): CharacterTest {
  return (character) => !test(character);
}

/** The same in upper and lower case. */
export function foldingCase(test: CharacterTest): CharacterTest {
  return (character) => {
    const text = String.fromCodePoint(character);
    return [character, codeOf(text.toLowerCase()), codeOf(text.toUpperCase())].some(test);
  };
}

export function codeOf(text: string): number {
  return text.codePointAt(0) ?? 0;
}

const ranges = (...pairs: readonly string[]): CharacterTest =>
  anyOf(pairs.map((pair) => range(codeOf(pair), codeOf(pair.at(-1)!))));

const DIGIT = ranges('09');
export const WORD: CharacterTest = ranges('09', 'AZ', 'az', '__');
const SPACE = anyOf([range(9, 10), range(12, 13), range(32, 32)]);

const CLASSES: Readonly<Record<string, CharacterTest>> = {
  d: DIGIT,
  D: not(DIGIT),
  w: WORD,
  W: not(WORD),
  s: SPACE,
  S: not(SPACE),
};

/** The class behind a backslash, as `\d`; undefined: the letter names none. */
export function classOf(letter: string): CharacterTest | undefined {
  return Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined;
}

const POSIX: Readonly<Record<string, CharacterTest>> = {
  alnum: ranges('09', 'AZ', 'az'),
  alpha: ranges('AZ', 'az'),
  digit: DIGIT,
  lower: ranges('az'),
  punct: ranges('!/', ':@', '[`', '{~'),
  space: anyOf([range(9, 13), range(32, 32)]),
  upper: ranges('AZ'),
  word: WORD,
  xdigit: ranges('09', 'AF', 'af'),
};

/** @throws PatternError for a name that is none of these */
export function posixClass(name: string): CharacterTest {
  const bare = name.startsWith('^') ? name.slice(1) : name;
  const test = Object.hasOwn(POSIX, bare) ? POSIX[bare] : undefined;
  if (test === undefined) throw new PatternError(`there is no character class [:${name}:]`);
  return bare === name ? test : not(test);
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7 };

/** The character behind a backslash, as `\n` or `\.`. @throws PatternError where RE2 has none */
export function escapedCharacter(letter: string): number {
  if (Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter]!;
  if (letter === '' || WORD(codeOf(letter)) || codeOf(letter) > 127)
    throw new PatternError(`\\${letter} has no meaning here`);
  return codeOf(letter);
}
