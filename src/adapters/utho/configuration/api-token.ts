import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import type { Secrets } from '../../../application/ports/secrets.js';
import { Secret } from '../../cloud-configuration/index.js';

/** The API key, which may change while the program runs. Prints as a stand-in. */
export interface ApiToken {
  /** The key to be sent now. */
  reveal(): string;
  /** Why the key could not be read anew, so that the last good one is used; null where all is well. */
  readonly problem: string | null;
  /** Registers the key, and each later one before it is first used. */
  registerWith(secrets: Secrets): void;
  toString(): string;
}

/** A key that stays as it is. */
export class FixedToken extends Secret implements ApiToken {
  readonly problem = null;

  registerWith(secrets: Secrets): void {
    secrets.register(this.reveal());
  }
}

/** What an HTTP header can carry. */
export function isUsableToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * The key in a file that a rotation replaces. The file is read for each request: it is one line, and requests are few.
 * What can't be a key (a file that is away, empty, or holds more than one word) leaves the last good one in place.
 */
export class FileToken implements ApiToken {
  #current: Secret;
  #secrets: Secrets | null = null;
  problem: string | null = null;

  /** Throws ConfigurationError where the file can't be read or holds no usable key. */
  constructor(
    private readonly source: ConfigurationSource,
    private readonly path: string,
  ) {
    this.#current = new Secret(this.read());
  }

  reveal(): string {
    try {
      this.adopt(this.read());
      this.problem = null;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.problem = `the API key stays as it was: ${error.message}`;
    }
    return this.#current.reveal();
  }

  registerWith(secrets: Secrets): void {
    this.#secrets = secrets;
    secrets.register(this.#current.reveal());
  }

  toString(): string {
    return this.#current.toString();
  }

  toJSON(): string {
    return this.#current.toJSON();
  }

  private adopt(value: string): void {
    if (value === this.#current.reveal()) return;
    this.#secrets?.register(value);
    this.#current = new Secret(value);
  }

  private read(): string {
    const text = this.source.file(this.path).trim();
    if (isUsableToken(text)) return text;
    const problem =
      text === '' ? 'the file is empty' : 'the key has characters that an HTTP header cannot carry';
    const remedy = 'write the API key into it, on one line and with nothing else';
    throw new ConfigurationError([{ place: 'token_file', value: this.path, problem, remedy }]);
  }
}
