/** Members as an instance of the class whose decorators say what they should be. Nothing is converted or checked here. */
export function documentOf<T extends object>(documentClass: new () => T, members: object): T {
  return Object.assign(new documentClass(), members);
}
