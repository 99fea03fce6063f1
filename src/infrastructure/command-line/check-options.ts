import type { ExpanderName } from '../../domain/expansion/index.js';
import { renderGoDuration } from '../../domain/go-duration.js';
import { parseDrainPriorities } from '../../domain/scale-down/index.js';
import type { DrainPriorityGroup } from '../../domain/scale-down/index.js';
import type { AutoscalerOptions } from './flag-table.js';
import { checkLeaderElection } from './checks/check-leader-election.js';
import { checkLogging } from './checks/check-logging.js';
import { checkGrpcCertificate, readExpanderChain, splitByAvailability } from './values/expander-chain.js';
import { readCoresTotal, readGpuTotal, readMemoryTotal } from './values/resource-limits.js';
import type { GpuRange, ResourceRange } from './values/resource-limits.js';
import { fatal } from './values/start-fault.js';
import type { Checked, StartFault } from './values/start-fault.js';

/** What the flags mean, checked. */
export interface StartSettings {
  /** As parsed, with `maxStartupTimeMs` raised where it was too small. */
  readonly options: AutoscalerOptions;
  readonly cores: ResourceRange;
  readonly memoryBytes: ResourceRange;
  readonly gpus: readonly GpuRange[];
  /** Those of the chain that this build has; none means the default. */
  readonly expanders: readonly ExpanderName[];
  /** Ascending by priority; empty where the flag is not set. */
  readonly drainPriorities: readonly DrainPriorityGroup[];
  /** Keys of `--ignore-taint`, then those of `--startup-taint`. */
  readonly startupTaints: readonly string[];
  /** Sentences to log at start. */
  readonly warnings: readonly string[];
}

export type CheckResult =
  | { readonly ok: true; readonly settings: StartSettings }
  /** At least one fault. The process ends with the exit code of the first. */
  | { readonly ok: false; readonly faults: readonly StartFault[] };

/**
 * Everything that can be judged without network (`interface` 1.10), in the order of the Go program, all faults at
 * once. differs from upstream: expander and estimator are judged here too, so that a wrong flag stops every replica and
 * not only the leader. Which providers there are is the registry's to know (`cloud-modules.ts`), at the same moment.
 */
export function checkOptions(options: AutoscalerOptions): CheckResult {
  const faults: StartFault[] = [];
  const take = <Value>(checked: Checked<Value>, otherwise: Value): Value => {
    if ('value' in checked) return checked.value;
    faults.push(checked.fault);
    return otherwise;
  };
  const nothing: ResourceRange = { min: 0, max: 0 };
  const cores = take(readCoresTotal(options.coresTotal), nothing);
  const memoryBytes = take(readMemoryTotal(options.memoryTotal), nothing);
  const gpus = options.gpuTotal.map((text) => take(readGpuTotal(text), { type: '', ...nothing }));
  const drainPriorities = take(readDrainPriorities(options.drainPriorityConfig), []);
  faults.push(...checkCombinations(options), ...checkLogging(options));
  faults.push(...checkLeaderElection(options));
  const chain = take(readExpanderChain(options.expander), []);
  const grpcFault = checkGrpcCertificate(chain, options.grpcExpanderCert);
  if (grpcFault !== null) faults.push(grpcFault);
  faults.push(...checkProvider(options));
  if (faults.length > 0) return { ok: false, faults };
  const { adjusted, warnings } = adjust(options);
  const expanders = splitByAvailability(chain);
  return {
    ok: true,
    settings: {
      options: adjusted,
      cores,
      memoryBytes,
      gpus,
      expanders: expanders.available,
      drainPriorities,
      startupTaints: [...options.ignoreTaint, ...options.startupTaint],
      warnings: [...warnings, ...expanders.warnings],
    },
  };
}

function readDrainPriorities(text: string): Checked<readonly DrainPriorityGroup[]> {
  const value = parseDrainPriorities(text);
  if (value !== null) return { value };
  const problem = 'not of the form priority:seconds,… without spaces';
  return { fault: fatal('drain-priority-config', text, problem, 'write for example 2000000000:30,0:120') };
}

/** 600 s: the default of `--max-graceful-termination-sec`. */
const GRACEFUL_TERMINATION_DEFAULT_SECONDS = 600;

function checkCombinations(options: AutoscalerOptions): readonly StartFault[] {
  const faults: StartFault[] = [];
  const graceSeconds = options.maxGracefulTerminationSec;
  if (options.drainPriorityConfig !== '' && graceSeconds !== GRACEFUL_TERMINATION_DEFAULT_SECONDS) {
    const problem = 'it excludes --drain-priority-config';
    faults.push(
      fatal('max-graceful-termination-sec', graceSeconds.toString(), problem, 'set only one of the two'),
    );
  }
  if (options.predicateParallelism < 1) {
    const value = options.predicateParallelism.toString();
    faults.push(fatal('predicate-parallelism', value, 'it must be at least 1', 'leave it out'));
  }
  if (!options.enableDynamicResourceAllocation) {
    const problem = 'it is locked to true';
    faults.push(fatal('enable-dynamic-resource-allocation', 'false', problem, 'leave it out'));
  }
  const allowed = options.allowedSchedulerNames;
  const stray = options.bypassedSchedulerNames.filter((name) => !allowed.includes(name));
  if (allowed.length > 0 && stray.length > 0) {
    const problem = 'it names a scheduler that --allowed-scheduler-names leaves out';
    faults.push(fatal('bypassed-scheduler-names', stray.join(','), problem, 'name it in both'));
  }
  return faults;
}

function checkProvider(options: AutoscalerOptions): readonly StartFault[] {
  const faults: StartFault[] = [];
  if (options.estimator !== 'binpacking') {
    faults.push(fatal('estimator', options.estimator, 'it is unknown', 'leave it out or write binpacking'));
  }
  return faults;
}

function adjust(options: AutoscalerOptions): {
  readonly adjusted: AutoscalerOptions;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const startupLimitMs = Math.max(
    options.maxStartupTimeMs,
    options.maxInactivityMs,
    options.maxFailingTimeMs,
  );
  if (startupLimitMs > options.maxStartupTimeMs) {
    warnings.push(
      `--max-startup-time is less than --max-inactivity or --max-failing-time; ${renderGoDuration(startupLimitMs)} is used`,
    );
  }
  if (!options.scaleDownEnabled) {
    warnings.push('--scale-down-enabled is deprecated; scale-down is off');
  }
  if (options.ignoreTaint.length > 0) {
    warnings.push('--ignore-taint is deprecated; use --startup-taint');
  }
  if (options.logFile !== '' && options.logtostderr) {
    warnings.push('--log-file is not written while --logtostderr is true');
  }
  return { adjusted: { ...options, maxStartupTimeMs: startupLimitMs }, warnings };
}
