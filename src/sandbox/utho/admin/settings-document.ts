import { defaultSettings, SWITCHES } from '../settings.js';
import type { SettingsChange } from '../settings.js';
import { Fields, objectOf } from './fields.js';
import type { Document } from './fields.js';

const SWITCH_NAMES = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[];
const NUMBERS = ['readLagMs', 'readLagReads'] as const;

/** Settings from JSON; a time of null never comes. Throws a RangeError that names what is wrong. */
export function settingsFrom(document: Document): SettingsChange {
  const fields = new Fields(document).allow([...SWITCH_NAMES, ...NUMBERS, 'capacityMessage', 'timings']);
  const change: Record<string, unknown> = {};
  for (const name of SWITCH_NAMES) {
    if (fields.has(name)) change[name] = fields.word<string | boolean>(name, SWITCHES[name]);
  }
  for (const name of NUMBERS) if (fields.has(name)) change[name] = fields.number(name);
  if (fields.has('capacityMessage')) change['capacityMessage'] = fields.text('capacityMessage');
  if (fields.has('timings')) change['timings'] = timingsFrom(objectOf(document['timings'], 'timings'));
  return change;
}

function timingsFrom(document: Document): NonNullable<SettingsChange['timings']> {
  const names = Object.keys(defaultSettings().timings);
  const fields = new Fields(document).allow(names);
  const present = names.filter((name) => fields.has(name));
  return Object.fromEntries(present.map((name) => [name, fields.numberOrNull(name) ?? Infinity]));
}
