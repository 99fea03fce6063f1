import { injectable } from 'inversify';
import { stringify } from 'yaml';
import type { YamlRenderer } from '../../application/ports/yaml-renderer.js';

/** YAML as the Go libraries of Kubernetes write it: sorted keys, lists not indented, nothing folded. */
@injectable()
export class KubernetesYamlRenderer implements YamlRenderer {
  render(document: object): string {
    return stringify(document, {
      // The schema decides what must be quoted: by 1.1, which Kubernetes reads, a bare RFC 3339 time is no text.
      version: '1.1',
      sortMapEntries: true,
      indentSeq: false,
      lineWidth: 0,
      aliasDuplicateObjects: false,
    });
  }
}
