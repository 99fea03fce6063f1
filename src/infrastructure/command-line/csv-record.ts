/**
 * Fields of one CSV record (RFC 4180 quoting), as the type `stringSlice` splits its values. Null where a quote is
 * stray or not closed. The empty text has no fields.
 */
export function readCsvRecord(text: string): readonly string[] | null {
  if (text === '') return [];
  const fields: string[] = [];
  let position = 0;
  for (;;) {
    const field = text[position] === '"' ? quotedField(text, position) : plainField(text, position);
    if (field === null) return null;
    fields.push(field.value);
    if (field.end === text.length) return fields;
    if (text[field.end] !== ',') return null;
    position = field.end + 1;
  }
}

interface Field {
  readonly value: string;
  /** Index of the first character behind the field. */
  readonly end: number;
}

function plainField(text: string, start: number): Field | null {
  const comma = text.indexOf(',', start);
  const end = comma === -1 ? text.length : comma;
  const value = text.slice(start, end);
  return value.includes('"') ? null : { value, end };
}

function quotedField(text: string, start: number): Field | null {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return null;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
