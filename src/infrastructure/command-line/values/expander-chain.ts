import { buildExpanderChain, EXPANDER_NAMES } from '../../../domain/expansion/index.js';
import type { ExpanderName } from '../../../domain/expansion/index.js';
import type { Checked, StartFault } from './start-fault.js';
import { fatal } from './start-fault.js';

/**
 * `--expander`: names split at `,` without trimming; none twice, nothing after `random`.
 *
 * differs from upstream: `price` is no error: both clouds tell their prices.
 */
export function readExpanderChain(text: string): Checked<readonly ExpanderName[]> {
  const chain: ExpanderName[] = [];
  for (const written of text.split(',')) {
    const name = EXPANDER_NAMES.find((known) => known === written);
    if (name === undefined) {
      const remedy = `write some of ${EXPANDER_NAMES.filter(isAvailable).join(', ')}`;
      return refuse(text, `there is no expander ${JSON.stringify(written)}`, remedy);
    }
    if (chain.includes(name)) {
      return refuse(text, `expander ${name} is named more than once`, 'name it once');
    }
    if (chain.includes('random')) {
      return refuse(text, `expander ${name} follows random, which leaves one option`, 'put random last');
    }
    chain.push(name);
  }
  return { value: chain };
}

/** Splits a chain into what this build can do and what it accepts because manifests name it. */
export function splitByAvailability(chain: readonly ExpanderName[]): {
  readonly available: readonly ExpanderName[];
  readonly warnings: readonly string[];
} {
  return {
    available: chain.filter(isAvailable),
    warnings: chain
      .filter((name) => !isAvailable(name))
      .map((name) => `--expander: ${name} is not built yet and is left out of the chain`),
  };
}

function isAvailable(name: ExpanderName): boolean {
  return buildExpanderChain([name]).kind === 'chain';
}

/** The gRPC expander without a certificate ends the process with a code of its own. */
export function checkGrpcCertificate(
  chain: readonly ExpanderName[],
  certificatePath: string,
): StartFault | null {
  if (!chain.includes('grpc') || certificatePath !== '') return null;
  return {
    place: '--grpc-expander-cert',
    value: null,
    problem: 'the grpc expander needs the certificate of its server',
    remedy: 'name a file with the CA certificate',
    exitCode: 1,
  };
}

function refuse(text: string, problem: string, remedy: string): { readonly fault: StartFault } {
  return { fault: fatal('expander', text, problem, remedy) };
}
