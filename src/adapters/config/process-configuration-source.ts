import { readFileSync, statSync } from 'node:fs';
import { inject, injectable } from 'inversify';
import { UnreadableFileError } from '../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../application/ports/configuration.js';

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const Environment = Symbol('Environment');

/** 1 MiB: a ConfigMap or Secret, where configuration files come from, holds no more. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Configuration text from the process environment and the file system. */
@injectable()
export class ProcessConfigurationSource implements ConfigurationSource {
  constructor(@inject(Environment) private readonly environment: Environment) {}

  variable(name: string): string | undefined {
    return this.environment[name];
  }

  file(path: string): string {
    const bytes = this.attempt(path, () => statSync(path)).size;
    if (bytes > FILE_BYTES_MAX) {
      throw faulty(path, 'EFBIG', {
        problem: `it has ${bytes} bytes`,
        remedy: `keep it below ${FILE_BYTES_MAX} bytes`,
      });
    }
    return this.attempt(path, () => readFileSync(path, 'utf8'));
  }

  private attempt<Result>(path: string, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const explanation = EXPLANATIONS[code] ?? {
        problem: `it can't be read (${code === '' ? String(error) : code})`,
        remedy: 'check the mount',
      };
      throw faulty(path, code, explanation, error);
    }
  }
}

interface Explanation {
  readonly problem: string;
  readonly remedy: string;
}

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: { problem: 'there is no such file', remedy: 'check the path, and that its volume is mounted' },
  ENOTDIR: { problem: 'a part of the path is not a directory', remedy: 'check the path' },
  EISDIR: { problem: 'it is a directory', remedy: 'name a file in it' },
  EACCES: {
    problem: 'the process may not read it',
    remedy: 'make it readable for the user of the container',
  },
  EPERM: { problem: 'the process may not read it', remedy: 'make it readable for the user of the container' },
};

function faulty(path: string, code: string, explanation: Explanation, cause?: unknown): UnreadableFileError {
  return new UnreadableFileError(code, { place: 'file', value: path, ...explanation }, cause);
}
