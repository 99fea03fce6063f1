import { IsBoolean, IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { parseGoDuration } from '../../domain/go-duration.js';
import type { NodeGroupOptions } from '../../domain/node-group/node-group.js';
import { IsDuration } from './constraints.js';

/** Overrides of the engine's defaults for one node group. */
export class NodeGroupOptionsDocument {
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  scaleDownUtilizationThreshold?: number;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  scaleDownGpuUtilizationThreshold?: number;

  @IsOptional()
  @IsDuration()
  scaleDownUnneededTime?: string;

  @IsOptional()
  @IsDuration()
  scaleDownUnreadyTime?: string;

  @IsOptional()
  @IsDuration()
  maxNodeProvisionTime?: string;

  @IsOptional()
  @IsBoolean()
  ignoreDaemonSetsUtilization?: boolean;

  /** Machines are created one by one, so all-or-nothing growth can't be promised. */
  @IsOptional()
  @IsIn([false], { message: 'must stay false: this cloud has no atomic creation' })
  zeroOrMaxNodeScaling?: boolean;
}

export const NODE_GROUP_OPTION_KEYS = [
  'scaleDownUtilizationThreshold',
  'scaleDownGpuUtilizationThreshold',
  'scaleDownUnneededTime',
  'scaleDownUnreadyTime',
  'maxNodeProvisionTime',
  'ignoreDaemonSetsUtilization',
  'zeroOrMaxNodeScaling',
] as const;

export function readNodeGroupOptions(document: NodeGroupOptionsDocument | undefined): NodeGroupOptions {
  if (document === undefined) return {};
  const entries = {
    scaleDownUtilizationThreshold: document.scaleDownUtilizationThreshold,
    scaleDownGpuUtilizationThreshold: document.scaleDownGpuUtilizationThreshold,
    scaleDownUnneededTimeMs: durationMs(document.scaleDownUnneededTime),
    scaleDownUnreadyTimeMs: durationMs(document.scaleDownUnreadyTime),
    maxNodeProvisionTimeMs: durationMs(document.maxNodeProvisionTime),
    ignoreDaemonSetsUtilization: document.ignoreDaemonSetsUtilization,
    zeroOrMaxNodeScaling: document.zeroOrMaxNodeScaling,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function durationMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseGoDuration(text) ?? undefined);
}
