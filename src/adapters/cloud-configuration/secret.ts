/** Text that must not reach a log, an error or a dump: printing it in any usual way gives a stand-in. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  get byteLength(): number {
    return Buffer.byteLength(this.#value);
  }

  toString(): string {
    return '(secret)';
  }

  toJSON(): string {
    return '(secret)';
  }
}
