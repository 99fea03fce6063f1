import { injectable } from 'inversify';
import type { Secrets } from '../../application/ports/secrets.js';

/** Shorter values are no credible secret, and replacing them would garble every line. */
const SECRET_LENGTH_MIN = 6;

/** 100: a rotating service account token makes one an hour; older ones have long expired. */
const SECRETS_MAX = 100;

const REPLACEMENT = '(secret)';

/** Knows the secrets of this process and takes them out of text. */
@injectable()
export class SecretRegistry implements Secrets {
  private readonly values = new Set<string>();

  register(value: string): void {
    // A mounted secret often ends with a newline that is not part of it.
    this.remember(value.trim());
    // JSON lines show quotes and line breaks escaped.
    this.remember(JSON.stringify(value.trim()).slice(1, -1));
  }

  redact(text: string): string {
    let redacted = text;
    for (const value of this.values) {
      if (redacted.includes(value)) redacted = redacted.replaceAll(value, REPLACEMENT);
    }
    return redacted;
  }

  private remember(value: string): void {
    if (value.length < SECRET_LENGTH_MIN) return;
    this.values.delete(value);
    this.values.add(value);
    if (this.values.size <= SECRETS_MAX) return;
    const [oldest] = this.values;
    if (oldest !== undefined) this.values.delete(oldest);
  }
}
