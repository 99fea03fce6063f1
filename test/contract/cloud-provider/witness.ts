import type { CloudProvider } from '../../../src/application/ports/cloud-provider.js';

/** Remembers what left a provider: errors and results. */
export class Witness {
  readonly errors: unknown[] = [];
  /** Results as text, each once. */
  private readonly results = new Set<string>();

  /** The same provider, listened to. */
  watch(provider: CloudProvider): CloudProvider {
    return new Proxy(provider, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.listen(() => Reflect.apply(member, target, args) as unknown);
      },
    });
  }

  /** All that was said. */
  text(): string {
    return [...this.errors.map(deepText), ...this.results].join('\n');
  }

  private listen(call: () => unknown): unknown {
    let answer: unknown;
    try {
      answer = call();
    } catch (error) {
      this.errors.push(error);
      throw error;
    }
    if (answer instanceof Promise) {
      answer.then(
        (result) => this.noteResult(result),
        (error: unknown) => this.errors.push(error),
      );
    } else {
      this.noteResult(answer);
    }
    return answer;
  }

  private noteResult(result: unknown): void {
    this.results.add(JSON.stringify(result) ?? '');
  }
}

/** Message, stack, fields and causes. */
function deepText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}\n${JSON.stringify(error)}\n${deepText(error.cause ?? '')}`;
}
