import { parseArgs } from 'node:util';

/** Clouds that the demo can simulate. */
export const DEMO_CLOUDS = ['hetzner', 'utho'] as const;
export type DemoCloud = (typeof DEMO_CLOUDS)[number];

/** What `demo` was asked for: the cloud, a wish for help, or a sentence on what is wrong with the arguments. */
export type DemoArguments =
  | { readonly kind: 'demo'; readonly cloud: DemoCloud }
  | { readonly kind: 'help' }
  | { readonly kind: 'problem'; readonly problem: string };

const OPTIONS = {
  cloud: { type: 'string', default: DEMO_CLOUDS[0] },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readDemoArguments(argv: readonly string[]): DemoArguments {
  let values: { readonly cloud: string; readonly help: boolean };
  try {
    ({ values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true }));
  } catch (error) {
    // Node's own sentence on what it does not know.
    return { kind: 'problem', problem: `demo: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (values.help) return { kind: 'help' };
  const cloud = DEMO_CLOUDS.find((known) => known === values.cloud);
  if (cloud !== undefined) return { kind: 'demo', cloud };
  return {
    kind: 'problem',
    problem: `demo: --cloud is one of ${DEMO_CLOUDS.join(', ')}, not '${values.cloud}'`,
  };
}
