import type { PlanRecord, WorkerRecord } from '../client/records.js';
import type { NodeTemplateSettings } from '../configuration/utho-configuration.js';

/** How large a machine is, and what it costs. */
export interface MachineShape {
  readonly cpu: number;
  readonly ramMb: number;
  /** 0: not known, or a plan without a disk. */
  readonly diskGb: number;
  /** INR a month. */
  readonly pricePerMonth: number | undefined;
}

/** Undefined while the platform has not filled the record in. */
export function shapeOfWorker({ cpu, ramMb, diskGb, cost }: WorkerRecord): MachineShape | undefined {
  if (cpu === undefined || ramMb === undefined || cpu <= 0 || ramMb <= 0) return undefined;
  return {
    cpu,
    ramMb,
    diskGb: diskGb ?? 0,
    pricePerMonth: cost !== undefined && cost > 0 ? cost : undefined,
  };
}

export function shapeOfSettings(settings: NodeTemplateSettings | undefined): MachineShape | undefined {
  if (settings?.cpu === undefined || settings.memoryMb === undefined) return undefined;
  const { cpu, memoryMb, diskGb } = settings;
  return { cpu, ramMb: memoryMb, diskGb: diskGb ?? 0, pricePerMonth: undefined };
}

export function shapeOfPlan(plan: PlanRecord | undefined): MachineShape | undefined {
  if (plan === undefined || plan.cpu <= 0 || plan.ramMb <= 0) return undefined;
  return { cpu: plan.cpu, ramMb: plan.ramMb, diskGb: plan.diskGb, pricePerMonth: plan.price };
}
