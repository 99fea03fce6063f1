/**
 * Fields of messages, by the message's name: `number name type` each, divided by commas. Types: `s` text, `i` whole
 * number, `b` truth value, `y` bytes, `T` time, `M` time with microseconds, `Q` quantity, `N` number or text, `-` read
 * over, else the name of a message. `[t]` is a list, `{t}` a map from text, `t?` a field that is written even when it
 * is empty. The name `...` puts the fields of the inner message into the outer.
 */
export type MessageTable = Readonly<Record<string, string>>;

export interface MessageField {
  readonly name: string;
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
  /** Nil and empty differ. */
  readonly optional: boolean;
}

export function parseFields(text: string): ReadonlyMap<number, MessageField> {
  return new Map(text.split(', ').map(parseField));
}

function parseField(text: string): [number, MessageField] {
  const [number = '', name = '', written = ''] = text.split(' ');
  const shape = written.startsWith('[') ? 'list' : written.startsWith('{') ? 'map' : 'one';
  const optional = written.endsWith('?');
  return [Number(number), { name, type: written.replace(/[[\]{}?]/g, ''), shape, optional }];
}
