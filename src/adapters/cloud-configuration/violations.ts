import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import type { Findings } from './findings.js';

/** Validates by the decorators of its class; true when nothing was found. */
export function reportViolations(document: object, place: string, findings: Findings): boolean {
  const errors = validateSync(document, { forbidUnknownValues: false });
  for (const error of errors) report(error, place, findings);
  return errors.length === 0;
}

function report(error: ValidationError, place: string, findings: Findings): void {
  const here = /^\d+$/.test(error.property) ? `${place}[${error.property}]` : `${place}.${error.property}`;
  for (const message of Object.values(error.constraints ?? {})) {
    findings.fault(here, shown(error, findings), message, 'correct the value');
  }
  for (const child of error.children ?? []) report(child, here, findings);
}

function shown(error: ValidationError, findings: Findings): string | null {
  const value: unknown = error.value;
  if (value === undefined || value === null) return null;
  if (findings.isSecret(error.property)) return '(secret)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
