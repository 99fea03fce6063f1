import type { Findings } from '../../cloud-configuration/index.js';

/** One `--nodes` flag (`hetzner` 1.6). */
export interface NodeSpec {
  readonly minSize: number;
  readonly maxSize: number;
  readonly serverType: string;
  readonly location: string;
  readonly name: string;
}

const POOL_NAME = /^[a-z0-9A-Z]+[a-z0-9A-Z\-._]*[a-z0-9A-Z]+$|^[a-z0-9A-Z]$/;
/** 63 characters of a host name, less the dash and 16 hexadecimal digits of a server name. */
const POOL_NAME_LENGTH_MAX = 46;
const SHAPE = '<min-servers>:<max-servers>:<machine-type>:<region>:<name>';

/** Reads all specs in flag order; faulty ones are reported and left out. */
export function readNodeSpecs(
  specs: readonly string[],
  allowUppercase: boolean,
  findings: Findings,
): readonly NodeSpec[] {
  const pools = new Map<string, NodeSpec>();
  specs.forEach((text, index) => {
    const place = `--nodes[${index}]`;
    const spec = readNodeSpec(text, place, findings);
    if (spec === null) return;
    checkName(spec.name, place, allowUppercase, findings);
    if (pools.has(spec.name)) {
      findings.fault(
        place,
        spec.name,
        'this pool name is used twice',
        'give every --nodes its own pool name',
      );
      return;
    }
    pools.set(spec.name, spec);
  });
  return [...pools.values()];
}

function readNodeSpec(text: string, place: string, findings: Findings): NodeSpec | null {
  const [min, max, type, location, ...name] = text.split(':');
  if (
    min === undefined ||
    max === undefined ||
    type === undefined ||
    location === undefined ||
    name.length === 0
  ) {
    findings.fault(
      place,
      text,
      `expected format \`${SHAPE}\` got ${text}`,
      'write e.g. 1:10:cpx22:fsn1:pool1',
    );
    return null;
  }
  if (!/^\d+$/.test(min) || !/^\d+$/.test(max)) {
    findings.fault(place, text, 'minimum and maximum must be whole numbers', `use \`${SHAPE}\``);
    return null;
  }
  const minSize = Number(min);
  const maxSize = Number(max);
  if (maxSize < 1 || maxSize < minSize) {
    findings.fault(
      place,
      text,
      'the maximum must be at least 1 and not below the minimum',
      'raise the maximum',
    );
  }
  if (!/^[\w-]+$/.test(type) || !/^[\w-]+$/.test(location)) {
    findings.fault(place, text, 'machine type or location is missing or malformed', `use \`${SHAPE}\``);
  }
  return {
    minSize,
    maxSize,
    serverType: type.toLowerCase(),
    location: location.toLowerCase(),
    name: name.join(':'),
  };
}

/**
 * differs from upstream: the result of the name check is obeyed, and names that can't be a host name are refused
 * here instead of at every creation (B03, U089).
 */
function checkName(name: string, place: string, allowUppercase: boolean, findings: Findings): void {
  const remedy = `use at most ${POOL_NAME_LENGTH_MAX} of a-z, 0-9, '-' and '.', letter or digit first and last`;
  if (!POOL_NAME.test(name)) {
    findings.fault(place, name, 'not a valid pool name', remedy);
  } else if (name.includes('_')) {
    findings.fault(place, name, "a pool name with '_' gives server names that are no host names", remedy);
  } else if (name.length > POOL_NAME_LENGTH_MAX) {
    findings.fault(place, name, 'the pool name is too long: server names would exceed 63 characters', remedy);
  } else if (/[A-Z]/.test(name) && !allowUppercase) {
    const problem = 'kubelet lower-cases node names, so upper-case letters break the match with the server';
    findings.fault(place, name, problem, 'use lower case, or set HCLOUD_ALLOW_UPPERCASE_POOL=true');
  }
}
