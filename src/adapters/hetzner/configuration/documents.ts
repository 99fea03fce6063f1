import {
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsLabelMap, NODE_GROUP_OPTION_KEYS, isKubernetesKey } from '../../cloud-configuration/index.js';
import type { NodeGroupOptionsDocument, TaintDocument } from '../../cloud-configuration/index.js';
import { isHetznerKey } from './label-syntax.js';

export class ImagesForArchDocument {
  @IsOptional()
  @IsString()
  amd64?: string;

  @IsOptional()
  @IsString()
  arm64?: string;
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
  taints?: TaintDocument[];

  @IsOptional()
  @IsLabelMap(isKubernetesKey, 'Kubernetes labels')
  labels?: Record<string, string>;

  @IsOptional()
  @IsLabelMap(isHetznerKey, 'Hetzner labels (the prefix hetzner.cloud/ is reserved)')
  serverLabels?: Record<string, string>;

  @IsOptional()
  @IsObject()
  @ValidateNested()
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
  @IsObject()
  @ValidateNested()
  autoscalingOptions?: NodeGroupOptionsDocument;
}

/** The cluster configuration without its `nodeConfigs`, which are checked one by one. */
export class ClusterConfigDocument {
  @IsOptional()
  @IsObject()
  @ValidateNested()
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
  options: NODE_GROUP_OPTION_KEYS,
} as const;
