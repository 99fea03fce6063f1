import { apiVersionOf, singularOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import { KINDS } from '../objects/kinds.js';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-04-22T00:00:00Z',
  goVersion: 'go1.26',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** What clients ask before they ask for resources. Undefined for any other path. */
export function discoveryDocument(path: string): unknown {
  const parts = path.split('/').filter((part) => part !== '');
  switch (parts[0]) {
    case 'version':
      return parts.length === 1 ? VERSION : undefined;
    case 'api':
      if (parts.length === 1)
        return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
      return parts.length === 2 ? resourceList(parts[1]!) : undefined;
    case 'apis':
      if (parts.length === 1) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() };
      if (parts.length === 2) return groups().find((group) => group.name === parts[1]);
      return parts.length === 3 ? resourceList(`${parts[1]!}/${parts[2]!}`) : undefined;
    case 'openapi':
      return parts[1] === 'v3' ? openApi(parts.slice(2).join('/')) : undefined;
    default:
      return undefined;
  }
}

interface Group {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly versions: readonly GroupVersion[];
  readonly preferredVersion: GroupVersion;
}

interface GroupVersion {
  readonly groupVersion: string;
  readonly version: string;
}

function groups(): Group[] {
  const names = new Set(KINDS.map((kind) => kind.group).filter((group) => group !== ''));
  return [...names].map((name) => {
    const texts = new Set(KINDS.filter((kind) => kind.group === name).map((kind) => kind.version));
    const versions = [...texts].map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { kind: 'APIGroup', apiVersion: 'v1', name, versions, preferredVersion: versions[0]! };
  });
}

function resourceList(groupVersion: string): unknown {
  const kinds = KINDS.filter((kind) => apiVersionOf(kind) === groupVersion);
  if (kinds.length === 0) return undefined;
  const resources = kinds.flatMap((kind) => [resourceEntry(kind), ...kind.subresources.map(subEntry(kind))]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function resourceEntry(kind: Kind): unknown {
  return {
    name: kind.plural,
    singularName: singularOf(kind),
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: VERBS,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
  };
}

const FOREIGN_TYPES: Readonly<Record<string, { group: string; version: string; kind: string }>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
};

function subEntry(kind: Kind): (subresource: string) => unknown {
  return (subresource) => {
    const type = FOREIGN_TYPES[subresource] ?? { group: '', version: '', kind: kind.kind };
    return {
      name: `${kind.plural}/${subresource}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...(type.group === '' ? { kind: type.kind } : type),
      verbs:
        subresource === 'eviction' || subresource === 'binding' ? ['create'] : ['get', 'patch', 'update'],
    };
  };
}

/**
 * The least that a stock kubectl needs: to apply, which kinds take `fieldValidation` in a PATCH; to explain, a schema
 * that says that there is none.
 */
function openApi(groupVersionPath: string): unknown {
  const versions = [...new Set(KINDS.map(apiVersionOf))];
  const pathOf = (version: string): string => (version.includes('/') ? `apis/${version}` : `api/${version}`);
  if (groupVersionPath === '') {
    const entries = versions.map((version) => [
      pathOf(version),
      { serverRelativeURL: `/openapi/v3/${pathOf(version)}` },
    ]);
    return { paths: Object.fromEntries(entries) as unknown };
  }
  const version = versions.find((candidate) => pathOf(candidate) === groupVersionPath);
  if (version === undefined) return undefined;
  const kinds = KINDS.filter((kind) => apiVersionOf(kind) === version);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: VERSION.gitVersion },
    paths: Object.fromEntries(
      kinds.map((kind) => [`/${groupVersionPath}/${kind.plural}/{name}`, openApiPath(kind)]),
    ),
    components: {
      schemas: Object.fromEntries(kinds.map((kind) => [`sandbox.${kind.kind}`, openApiSchema(kind)])),
    },
  };
}

function openApiSchema({ group, version, kind }: Kind): unknown {
  const text = { type: 'string' };
  const part = { type: 'object', description: 'The sandbox keeps no schemas of its parts.' };
  return {
    description: `${kind} of a simulated cluster. Its fields are those of the Kubernetes API reference.`,
    type: 'object',
    properties: { apiVersion: text, kind: text, metadata: part, spec: part, status: part },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

function openApiPath({ group, version, kind }: Kind): unknown {
  const patch = {
    parameters: [{ name: 'fieldValidation', in: 'query', schema: { type: 'string' } }],
    responses: {},
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
  return { patch };
}
