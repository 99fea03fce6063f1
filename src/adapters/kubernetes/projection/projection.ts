import { NO_LABELS } from '../../../domain/kubernetes/labels.js';
import type { Labels } from '../../../domain/kubernetes/labels.js';
import { nodeResources } from '../../../domain/kubernetes/effective-request.js';
import { NO_RESOURCES } from '../../../domain/kubernetes/resources.js';
import type { Resources } from '../../../domain/kubernetes/resources.js';
import type { LabelSelector, NodeSelector } from '../../../domain/kubernetes/selectors.js';
import { ShapeTable } from '../../../domain/kubernetes/shape-table.js';
import type {
  LabelSelectorJson,
  Maybe,
  MetadataJson,
  NodeSelectorTermJson,
  StringMap,
} from './api-objects.js';
import { Interner, StringPool } from './interner.js';
import { projectLabelSelector, projectNodeSelector } from './project-selector.js';

const NO_TEXTS: readonly string[] = [];

/** An object that lacks what every object of its kind has, or holds what can't be read. */
export class BrokenObjectError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'BrokenObjectError';
  }
}

/** What the records of one cluster share: equal shapes, label sets, resource lists and strings exist once. */
export class SharedRecords {
  readonly shapes = new ShapeTable();
  private readonly labelSets = new Interner<Labels>();
  private readonly resourceLists = new Interner<Resources>();
  private readonly nodeSelectors = new Interner<NodeSelector>();
  private readonly labelSelectors = new Interner<LabelSelector>();
  private readonly textLists = new Interner<readonly string[]>();
  private readonly strings = new StringPool();

  /** For strings that many objects repeat: node names, namespaces, phases. */
  text(value: Maybe<string>): string {
    return value == null || value === '' ? '' : this.strings.intern(value);
  }

  labels(map: Maybe<StringMap>): Labels {
    if (map == null) return NO_LABELS;
    // The API server writes keys in order; sets in another order only share less.
    const text = JSON.stringify(map);
    return text === '{}' ? NO_LABELS : this.labelSets.intern(text, () => new Map(Object.entries(map)));
  }

  nodeSelector(terms: Maybe<readonly NodeSelectorTermJson[]>): NodeSelector {
    return this.nodeSelectors.intern(JSON.stringify(terms ?? null), () => projectNodeSelector(terms));
  }

  labelSelector(selector: Maybe<LabelSelectorJson>): LabelSelector | null {
    if (selector == null) return null;
    return this.labelSelectors.intern(JSON.stringify(selector), () => projectLabelSelector(selector)!);
  }

  /** For short lists that many objects repeat: access modes. */
  texts(list: Maybe<readonly string[]>): readonly string[] {
    if (list == null || list.length === 0) return NO_TEXTS;
    return this.textLists.intern(JSON.stringify(list), () => list);
  }

  /** @throws QuantityError */
  resources(list: Maybe<StringMap>): Resources {
    if (list == null) return NO_RESOURCES;
    return this.resourceLists.intern(JSON.stringify(list), () => nodeResources(list));
  }
}

/** Identity of an object. @throws BrokenObjectError when it has none */
export function identityOf(metadata: Maybe<MetadataJson>): {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
} {
  const { uid, name, namespace } = metadata ?? {};
  if (typeof uid !== 'string' || uid === '') throw new BrokenObjectError('metadata.uid is missing');
  if (typeof name !== 'string' || name === '') throw new BrokenObjectError('metadata.name is missing');
  return { uid, name, namespace: namespace ?? '' };
}

/** Milliseconds since the epoch of an RFC 3339 time; null where there is none. */
export function timeOf(text: Maybe<string>): number | null {
  if (text == null || text === '') return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new BrokenObjectError(`${JSON.stringify(text)} is no time`);
  return time;
}
