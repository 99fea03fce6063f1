import { LineCounter, parseAllDocuments } from 'yaml';
import type { Document } from 'yaml';
import { checkStory } from './check-story.js';
import { Reading } from './format/reading.js';
import type { ScenarioFault } from './format/reading.js';
import { storyShape } from './format/story-shape.js';
import { expandStory } from './story.js';
import type { Story } from './story.js';

export type StoriesResult =
  | { readonly ok: true; readonly stories: readonly Story[] }
  | { readonly ok: false; readonly faults: readonly ScenarioFault[] };

/** Reads a scenario file: one story, or several divided by `---`. `file` is its name, for messages. */
export function readStories(file: string, text: string): StoriesResult {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  if (documents.length === 0) {
    const fault = { problem: 'the file is empty', remedy: 'write a story, see docs/scenarios.md' };
    return { ok: false, faults: [{ file, line: 1, column: 1, field: '', value: null, ...fault }] };
  }
  const faults: ScenarioFault[] = [];
  const stories: Story[] = [];
  for (const document of documents as Document.Parsed[]) {
    const reading = new Reading(file, document, lines);
    const story = readStory(document, reading);
    faults.push(...reading.faults);
    if (story !== null) stories.push(story);
  }
  return faults.length === 0 ? { ok: true, stories } : { ok: false, faults };
}

function readStory(document: Document.Parsed, reading: Reading): Story | null {
  for (const error of document.errors) {
    const [line = { line: 1, col: 1 }] = error.linePos ?? [];
    const problem = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/u, '');
    const at = { file: reading.file, line: line.line, column: line.col, field: '', value: null };
    reading.faults.push({ ...at, problem: `it is no YAML: ${problem}`, remedy: 'correct it' });
  }
  if (reading.faults.length > 0) return null;
  const written = storyShape.read(reading.root);
  if (reading.faults.length > 0) return null;
  const story = expandStory(written, reading);
  if (reading.faults.length > 0) return null;
  checkStory(story, written, reading);
  return reading.faults.length > 0 ? null : story;
}
