import type { Clock } from '../../application/ports/clock.js';
import type { LogFields } from '../../application/ports/logger.js';
import type { LogDestination } from './log-destination.js';
import type { LineWriter, LogLine, Severity } from './log-line.js';
import type { SecretRegistry } from './secret-registry.js';

const LETTERS: Readonly<Record<Severity, string>> = { info: 'I', warning: 'W', error: 'E' };

/**
 * klog's text form: `I1130 19:21:22.123000       1 scale-up-planned] message key="value"`. differs from upstream: the
 * event id stands where a source line would; times are UTC whatever TZ says, so that lines of several hosts compare.
 */
export class TextLines implements LineWriter {
  constructor(
    private readonly clock: Clock,
    private readonly secrets: SecretRegistry,
    private readonly destination: LogDestination,
    private readonly header: { readonly isSkipped: boolean; readonly processId: number },
  ) {}

  write(line: LogLine): void {
    const header = this.header.isSkipped ? '' : this.renderHeader(line);
    const text = `${header}${oneLine(line.message)}${renderFields(line.fields)}\n`;
    this.destination.write(this.secrets.redact(text), line.severity);
  }

  private renderHeader({ severity, event }: LogLine): string {
    // 2026-11-30T19:21:22.123Z
    const iso = new Date(this.clock.now()).toISOString();
    const day = `${iso.slice(5, 7)}${iso.slice(8, 10)}`;
    const processId = this.header.processId.toString().padStart(7);
    return `${LETTERS[severity]}${day} ${iso.slice(11, 23)}000 ${processId} ${event}] `;
  }
}

function renderFields(fields: LogFields): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value) ?? 'null'}`)
    .join('');
}

function oneLine(message: string): string {
  return message.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
