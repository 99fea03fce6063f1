import { isAlias, isScalar } from 'yaml';
import type { Document, LineCounter, Node } from 'yaml';

/** One fault of a scenario file: where it is, what was found, and what to write instead. */
export interface ScenarioFault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** `world.pods[2].cpu`; empty for the document itself. */
  readonly field: string;
  /** As it stands in the file, shortened; null where nothing stands there. */
  readonly value: string | null;
  readonly problem: string;
  readonly remedy: string;
}

/** `u001.yaml:7:12: world.pods[2].cpu is "abc": it is no number; write e.g. 0.5`. */
export function renderScenarioFault(fault: ScenarioFault): string {
  const { file, line, column, field, value, problem, remedy } = fault;
  const subject = [field, value === null ? '' : `is ${value}`].filter((part) => part !== '').join(' ');
  return `${file}:${line}:${column}: ${subject === '' ? '' : `${subject}: `}${problem}; ${remedy}`;
}

/** What is wrong with a value, and what to write instead. */
export interface Complaint {
  readonly problem: string;
  readonly remedy: string;
}

/** Beyond this a file is not faulty but something else. */
const FAULTS_MAX = 50;
const SHOWN_MAX = 60;

/** Collects the faults of one document, and remembers where each field stands. */
export class Reading {
  readonly faults: ScenarioFault[] = [];
  private readonly nodes = new Map<string, Node | null>();

  constructor(
    readonly file: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  get root(): Spot {
    return new Spot(this, this.document.contents, '');
  }

  /** The value behind an alias, or the node itself. */
  resolve(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.document) ?? null) : node;
  }

  remember(field: string, node: Node | null): void {
    this.nodes.set(field, node);
  }

  /** A fault of a field that was read before, or of the nearest one around it. */
  complainOf(field: string, complaint: Complaint): void {
    let place = field;
    while (!this.nodes.has(place) && place !== '')
      place = place.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/u, '');
    this.add(field, this.nodes.get(place) ?? null, complaint);
  }

  /** A fault at a key, whose name the field says already. */
  addAtKey(field: string, key: Node | null, complaint: Complaint): void {
    this.add(field, key, complaint, null);
  }

  add(
    field: string,
    node: Node | null,
    complaint: Complaint,
    value: string | null = shown(this.resolve(node)),
  ): void {
    if (this.faults.length >= FAULTS_MAX) return;
    const offset = node?.range?.[0] ?? this.document.range?.[0] ?? 0;
    const { line, col } = this.lines.linePos(offset);
    const at = { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
    this.faults.push({ ...at, field, value, ...complaint });
  }
}

/** One value of the document, with its place. */
export class Spot {
  readonly node: Node | null;

  constructor(
    readonly reading: Reading,
    private readonly written: Node | null,
    readonly field: string,
  ) {
    this.node = reading.resolve(written);
    reading.remember(field, written);
  }

  complain(problem: string, remedy: string): void {
    this.reading.add(this.field, this.written, { problem, remedy });
  }

  member(key: string, node: Node | null): Spot {
    return new Spot(this.reading, node, this.field === '' ? key : `${this.field}.${key}`);
  }

  item(index: number, node: Node | null): Spot {
    return new Spot(this.reading, node, `${this.field}[${index}]`);
  }
}

function shown(node: Node | null): string | null {
  if (!isScalar(node) || node.value === null) return null;
  const text = JSON.stringify(node.value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
