import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import type { Findings } from './findings.js';

/** Properties whose content is secret: cloud-init holds join tokens. */
const SECRET_PROPERTIES = new Set(['cloudInit']);

/** Validates by the decorators of its class; true when nothing was found. */
export function reportViolations(document: object, place: string, findings: Findings): boolean {
  const errors = validateSync(document, { forbidUnknownValues: false });
  for (const error of errors) report(error, place, findings);
  return errors.length === 0;
}

function report(error: ValidationError, place: string, findings: Findings): void {
  const here = /^\d+$/.test(error.property) ? `${place}[${error.property}]` : `${place}.${error.property}`;
  for (const message of Object.values(error.constraints ?? {})) {
    findings.fault(here, shown(error), message, 'correct the value');
  }
  for (const child of error.children ?? []) report(child, here, findings);
}

function shown(error: ValidationError): string | null {
  const value: unknown = error.value;
  if (value === undefined || value === null) return null;
  if (SECRET_PROPERTIES.has(error.property)) return '(secret)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
