import {
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { Type } from 'class-transformer';
import { parseGoDuration } from '../../../domain/go-duration.js';
import { isHetznerKey, isKubernetesKey, isLabelValue } from './label-syntax.js';

/** Kinds of label maps; the difference is in the keys. */
function IsLabelMap(isKey: (key: string) => boolean, what: string): PropertyDecorator {
  const options: ValidationOptions = { message: `must be an object of valid ${what}` };
  const validate = (value: unknown): boolean =>
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([key, text]) => isKey(key) && typeof text === 'string' && isLabelValue(text),
    );
  return ValidateBy({ name: 'isLabelMap', validator: { validate } }, options);
}

const isText =
  (check: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'string' && check(value);

function IsDuration(): PropertyDecorator {
  const validate = isText((text) => (parseGoDuration(text) ?? -1) >= 0);
  return ValidateBy(
    { name: 'isDuration', validator: { validate } },
    { message: 'must be a duration such as 10m or 1h30m' },
  );
}

export class ImagesForArchDocument {
  @IsOptional()
  @IsString()
  amd64?: string;

  @IsOptional()
  @IsString()
  arm64?: string;
}

export class TaintDocument {
  @ValidateBy(
    { name: 'taintKey', validator: { validate: isText(isKubernetesKey) } },
    { message: 'must be a valid taint key' },
  )
  key!: string;

  @IsOptional()
  @ValidateBy(
    { name: 'taintValue', validator: { validate: isText(isLabelValue) } },
    { message: 'must be a valid taint value' },
  )
  value?: string;

  @IsIn(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
  effect!: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Overrides of the engine's defaults for one pool (`hetzner` 6.12). */
export class AutoscalingOptionsDocument {
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

  /** Servers are created one by one, so all-or-nothing growth can't be promised. */
  @IsOptional()
  @IsIn([false], { message: 'must stay false: this cloud has no atomic creation' })
  zeroOrMaxNodeScaling?: boolean;
}

/** One entry of `nodeConfigs`. */
export class NodeConfigDocument {
  @IsOptional()
  @IsString()
  cloudInit?: string;

  @IsOptional()
  @IsString()
  placementGroup?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TaintDocument)
  taints?: TaintDocument[];

  @IsOptional()
  @IsLabelMap(isKubernetesKey, 'Kubernetes labels')
  labels?: Record<string, string>;

  @IsOptional()
  @IsLabelMap(isHetznerKey, 'Hetzner labels (the prefix hetzner.cloud/ is reserved)')
  serverLabels?: Record<string, string>;

  @IsOptional()
  @ValidateNested()
  @Type(() => ImagesForArchDocument)
  imagesForArch?: ImagesForArchDocument | null;

  @IsOptional()
  @IsString()
  subnetIPRange?: string;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  firewalls?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => AutoscalingOptionsDocument)
  autoscalingOptions?: AutoscalingOptionsDocument;
}

/** The cluster configuration without its `nodeConfigs`, which are checked one by one. */
export class ClusterConfigDocument {
  @IsOptional()
  @ValidateNested()
  @Type(() => ImagesForArchDocument)
  imagesForArch?: ImagesForArchDocument | null;

  @IsOptional()
  @IsString()
  defaultSubnetIPRange?: string;
}

/** The legacy format: environment variables only. */
export class LegacyDocument {
  @IsString()
  @IsNotEmpty({ message: 'the cloud-init is empty' })
  cloudInit!: string;

  @IsString()
  @MaxLength(255)
  image!: string;
}

/** Known keys by document; the Go decoder compares them without regard to case (`hetzner` 1.4). */
export const DOCUMENT_KEYS = {
  cluster: ['imagesForArch', 'defaultSubnetIPRange', 'nodeConfigs'],
  pool: [
    'cloudInit',
    'placementGroup',
    'taints',
    'labels',
    'serverLabels',
    'imagesForArch',
    'subnetIPRange',
    'firewalls',
    'autoscalingOptions',
  ],
  images: ['amd64', 'arm64'],
  taint: ['key', 'value', 'effect'],
  options: [
    'scaleDownUtilizationThreshold',
    'scaleDownGpuUtilizationThreshold',
    'scaleDownUnneededTime',
    'scaleDownUnreadyTime',
    'maxNodeProvisionTime',
    'ignoreDaemonSetsUtilization',
    'zeroOrMaxNodeScaling',
  ],
} as const;
