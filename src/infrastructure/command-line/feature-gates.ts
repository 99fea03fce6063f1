import { KUBERNETES_FEATURE_GATES } from './kubernetes-feature-gates.js';
import { bad, good, readBoolean } from './flag-types.js';
import type { FlagType } from './flag-types.js';

export type FeatureGates = ReadonlyMap<string, boolean>;

/** The gates that something in this build reads, with their defaults. */
export const FEATURE_GATE_DEFAULTS: FeatureGates = new Map([
  ['LoggingAlphaOptions', false],
  ['LoggingBetaOptions', true],
]);

export function isGateOpen(gates: FeatureGates, name: string): boolean {
  return gates.get(name) ?? FEATURE_GATE_DEFAULTS.get(name) ?? false;
}

/** `Name=bool` pairs; a name that no Kubernetes component knows is an error, as upstream. */
export const featureGates: FlagType<FeatureGates, ''> = {
  label: 'mapStringBool',
  suffix: '',
  read: (text, soFar) => {
    const gates = new Map(soFar ?? []);
    for (const pair of text.split(',').map((part) => part.trim())) {
      if (pair === '') continue;
      const [name = '', ...rest] = pair.split('=');
      if (rest.length !== 1) return bad(`"${pair}" is not of the form Gate=true`);
      const reading = readBoolean(rest[0]!.trim());
      if (!reading.ok) return reading;
      if (!KUBERNETES_FEATURE_GATES.has(name.trim())) return bad(`unrecognized feature gate: ${name.trim()}`);
      gates.set(name.trim(), reading.value);
    }
    return good(gates);
  },
  render: (gates) =>
    [...gates]
      .map(([name, isOpen]) => `${name}=${isOpen}`)
      .sort()
      .join(','),
};
