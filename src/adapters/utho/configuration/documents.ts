import { IsArray, IsBoolean, IsOptional, IsString, ValidateBy, ValidateNested } from 'class-validator';
import { QuantityError, readQuantity } from '../../../domain/kubernetes/quantity.js';
import { IsLabelMap, IsText, IsWholeNumber, isKubernetesKey } from '../../cloud-configuration/index.js';
import type { TaintDocument } from '../../cloud-configuration/index.js';

/** Text, or the number that it spells. A number beyond 2^53 has lost digits already. */
function IsTextOrNumber(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);
  return ValidateBy(
    { name: 'isTextOrNumber', validator: { validate } },
    { message: 'must be digits as text' },
  );
}

/** An amount as Kubernetes writes it. */
function IsAmount(): PropertyDecorator {
  return ValidateBy(
    { name: 'isAmount', validator: { validate: isAmount } },
    { message: 'must be a quantity such as 100m or 512Mi' },
  );
}

function isAmount(value: unknown): boolean {
  try {
    return readQuantity(value).nano >= 0n;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** The cloud-config file (`utho` 1.2, 1.5), without its maps, whose entries are checked one by one. */
export class CloudConfigDocument {
  @IsOptional()
  @IsString({ message: 'must be text' })
  token?: string | null;

  @IsOptional()
  @IsString({ message: 'must be text' })
  token_file?: string | null;

  @IsOptional()
  @IsTextOrNumber()
  cluster_id?: string | number | null;

  @IsOptional()
  @IsString({ message: 'must be text' })
  api_url?: string | null;

  /** 300000: what upstream waits for any request. */
  @IsOptional()
  @IsWholeNumber(1_000, 300_000)
  request_timeout_ms?: number | null;

  /** 10: with back-off about 20 s of patience, and a refresh has to end within a minute. */
  @IsOptional()
  @IsWholeNumber(0, 10)
  max_retries?: number | null;

  /** 300000: a pool stays locked while its change is verified. */
  @IsOptional()
  @IsWholeNumber(1_000, 300_000)
  verify_timeout_ms?: number | null;

  @IsOptional()
  @IsWholeNumber(100, 60_000)
  verify_interval_ms?: number | null;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  allow_scale_to_zero?: boolean | null;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  legacy_decrease_payload?: boolean | null;
}

/** An entry of `node_templates`. The upper bounds are far above any plan; they keep slips of the keyboard out. */
export class NodeTemplateDocument {
  @IsOptional()
  @IsWholeNumber(1, 1_024)
  cpu?: number | null;

  @IsOptional()
  @IsWholeNumber(1, 33_554_432)
  memoryMb?: number | null;

  @IsOptional()
  @IsWholeNumber(1, 1_048_576)
  diskGb?: number | null;

  @IsOptional()
  @IsLabelMap(isKubernetesKey, 'Kubernetes labels')
  labels?: Record<string, string> | null;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  taints?: TaintDocument[] | null;

  @IsOptional()
  @IsWholeNumber(0, 64)
  gpu?: number | null;

  /** Name of the resource that `gpu` counts. */
  @IsOptional()
  @IsText(isKubernetesKey, 'must be the name of a resource such as nvidia.com/gpu')
  gpuResource?: string | null;
}

/** `reserved`: names as in the kubelet's own configuration. */
export class ReservedDocument {
  @IsOptional()
  @IsAmount()
  cpu?: string | number | null;

  @IsOptional()
  @IsAmount()
  memory?: string | number | null;

  @IsOptional()
  @IsAmount()
  'ephemeral-storage'?: string | number | null;
}

/** Known keys by document. */
export const DOCUMENT_KEYS = {
  cloudConfig: [
    'token',
    'token_file',
    'cluster_id',
    'api_url',
    'request_timeout_ms',
    'max_retries',
    'verify_timeout_ms',
    'verify_interval_ms',
    'allow_scale_to_zero',
    'legacy_decrease_payload',
    'node_templates',
    'reserved',
    'node_group_options',
  ],
  nodeTemplate: ['cpu', 'memoryMb', 'diskGb', 'labels', 'taints', 'gpu', 'gpuResource'],
  reserved: ['cpu', 'memory', 'ephemeral-storage'],
} as const;
