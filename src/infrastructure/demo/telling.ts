/** One line of the story, with the time of day. */
export function tell(who: 'autoscaler' | 'demo' | 'world', message: string): void {
  const time = new Date().toISOString().slice(11, 19);
  say(`${time}  ${who.padEnd(10)}  ${message}\n`);
}

export function say(text: string): void {
  process.stdout.write(text);
}
