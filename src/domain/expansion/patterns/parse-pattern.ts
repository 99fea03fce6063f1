import { ANY, ANY_BUT_NEWLINE, anyOf, classOf, codeOf, escapedCharacter } from './character-tests.js';
import { foldingCase, not, posixClass, range } from './character-tests.js';
import { PatternError } from './expression.js';
import type { Assertion, CharacterTest, Expression } from './expression.js';

/** RE2's bound of a counted repetition. */
const REPEAT_MAX = 1_000;
/** Groups in groups: far beyond what people write. */
const DEPTH_MAX = 50;

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'text-start',
  z: 'text-end',
  b: 'word-edge',
  B: 'no-word-edge',
};

interface Flags {
  readonly ignoresCase: boolean;
  readonly dotTakesNewline: boolean;
}

/**
 * Reads a regular expression of RE2's dialect, as the Go program takes it: without look-around and back-references.
 * Not supported: multi-line mode, Unicode classes.
 * @throws PatternError
 */
export function parsePattern(text: string): Expression {
  return new Parser(Array.from(text)).parse();
}

class Parser {
  private at = 0;
  private depth = 0;
  private flags: Flags = { ignoresCase: false, dotTakesNewline: false };

  constructor(private readonly characters: readonly string[]) {}

  parse(): Expression {
    const expression = this.choice();
    if (this.at < this.characters.length) throw new PatternError('a parenthesis closes nothing');
    return expression;
  }

  private choice(): Expression {
    const branches = [this.sequence()];
    while (this.takes('|')) branches.push(this.sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  private sequence(): Expression {
    const parts: Expression[] = [];
    while (this.at < this.characters.length && this.next !== '|' && this.next !== ')') {
      parts.push(this.repeated(this.atom()));
    }
    return { kind: 'sequence', parts };
  }

  private repeated(atom: Expression): Expression {
    const counts = this.repetition();
    if (counts === null) return atom;
    // Lazy or not, the answer is the same: only whether there is a match counts.
    this.takes('?');
    if (this.repetition() !== null) throw new PatternError('a repetition is repeated');
    return { kind: 'repeat', part: atom, ...counts };
  }

  private repetition(): { readonly min: number; readonly max: number | null } | null {
    if (this.takes('*')) return { min: 0, max: null };
    if (this.takes('+')) return { min: 1, max: null };
    if (this.takes('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d{1,4})(,(\d{1,4})?)?\}/u.exec(this.rest(12));
    if (counted === null) return null;
    this.at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === undefined ? null : Number(counted[3]);
    if (min > REPEAT_MAX || (max ?? min) > REPEAT_MAX || (max !== null && max < min))
      throw new PatternError(`${counted[0]} is no repetition`);
    return { min, max };
  }

  private atom(): Expression {
    const character = this.take();
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return this.characterOf(this.set());
      case '.':
        return { kind: 'character', test: this.flags.dotTakesNewline ? ANY : ANY_BUT_NEWLINE };
      case '^':
        return { kind: 'assertion', what: 'text-start' };
      case '$':
        return { kind: 'assertion', what: 'text-end' };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new PatternError(`${character} repeats nothing`);
      default:
        return this.characterOf(range(codeOf(character), codeOf(character)));
    }
  }

  private escape(): Expression {
    const letter = this.take();
    if (Object.hasOwn(ASSERTIONS, letter)) return { kind: 'assertion', what: ASSERTIONS[letter]! };
    return this.characterOf(classOf(letter) ?? this.single(letter));
  }

  /** `\x7F`, `\x{1F600}` or an escaped character. */
  private single(letter: string): CharacterTest {
    const code = letter === 'x' ? this.hexadecimal() : escapedCharacter(letter);
    return range(code, code);
  }

  private hexadecimal(): number {
    const digits = /^(?:([0-9a-f]{2})|\{([0-9a-f]{1,6})\})/iu.exec(this.rest(8));
    if (digits === null) throw new PatternError('\\x needs hexadecimal digits');
    this.at += digits[0].length;
    return Number.parseInt(digits[1] ?? digits[2]!, 16);
  }

  /** Flags hold until the group ends; `(?i)` is no group of its own. */
  private group(): Expression {
    if (++this.depth > DEPTH_MAX) throw new PatternError('groups are nested too deeply');
    const outer = this.flags;
    const opening = /^\?(?:P?<[A-Za-z_]\w*>|([a-z-]*)([:)]))/u.exec(this.rest(64));
    if (opening === null && this.next === '?') throw new PatternError('(? begins nothing that RE2 knows');
    this.at += opening?.[0].length ?? 0;
    if (opening?.[1] !== undefined) this.flags = withFlags(outer, opening[1]);
    if (opening?.[2] === ')') {
      this.depth--;
      return { kind: 'sequence', parts: [] };
    }
    const expression = this.choice();
    if (!this.takes(')')) throw new PatternError('a parenthesis is not closed');
    this.flags = outer;
    this.depth--;
    return expression;
  }

  /** Behind the opening bracket. */
  private set(): CharacterTest {
    const isNegated = this.takes('^');
    const tests: CharacterTest[] = [];
    for (let isFirst = true; isFirst || this.next !== ']'; isFirst = false) tests.push(this.setItem());
    this.at++;
    const test = anyOf(tests);
    return isNegated ? not(this.folded(test)) : test;
  }

  private setItem(): CharacterTest {
    const posix = /^\[:(\^?[a-z]+):\]/u.exec(this.rest(16));
    if (posix !== null) {
      this.at += posix[0].length;
      return posixClass(posix[1]!);
    }
    const from = this.setCharacter();
    if (typeof from !== 'number') return from;
    if (this.next !== '-' || this.characters[this.at + 1] === ']') return range(from, from);
    this.at++;
    const to = this.setCharacter();
    if (typeof to !== 'number' || to < from)
      throw new PatternError('a range of characters ends before it begins');
    return range(from, to);
  }

  private setCharacter(): number | CharacterTest {
    const character = this.take();
    if (character !== '\\') return codeOf(character);
    const letter = this.take();
    if (letter === 'x') return this.hexadecimal();
    return classOf(letter) ?? escapedCharacter(letter);
  }

  private characterOf(test: CharacterTest): Expression {
    return { kind: 'character', test: this.folded(test) };
  }

  private folded(test: CharacterTest): CharacterTest {
    return this.flags.ignoresCase ? foldingCase(test) : test;
  }

  private get next(): string | undefined {
    return this.characters[this.at];
  }

  private take(): string {
    const character = this.characters[this.at++];
    if (character === undefined) throw new PatternError('it ends too early');
    return character;
  }

  private takes(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  private rest(length: number): string {
    return this.characters.slice(this.at, this.at + length).join('');
  }
}

function withFlags(outer: Flags, letters: string): Flags {
  let flags = outer;
  let value = true;
  for (const letter of letters) {
    if (letter === '-') value = false;
    else if (letter === 'i') flags = { ...flags, ignoresCase: value };
    else if (letter === 's') flags = { ...flags, dotTakesNewline: value };
    else if (letter !== 'U') throw new PatternError(`the flag ${letter} is not supported`);
  }
  return flags;
}
