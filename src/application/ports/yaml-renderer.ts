/** Renders plain data (maps, lists, texts, numbers, booleans, null) as Kubernetes writes YAML: keys in alphabetical order. */
export interface YamlRenderer {
  render(document: object): string;
}

export const YamlRenderer = Symbol('YamlRenderer');
