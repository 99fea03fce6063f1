/**
 * The parts of a pod's JSON that requests and ports are computed from, as the API has them: every field may be
 * missing or null. Structural, so that models of a client library and parsed JSON both fit.
 */

/** Amounts by name, as written: text, or a bare number. */
export type QuantityList = Readonly<Record<string, string | number>>;

export interface RequirementsJson {
  readonly requests?: QuantityList | null;
  readonly limits?: QuantityList | null;
}

export interface ContainerPortJson {
  readonly containerPort?: number | null;
  readonly hostPort?: number | null;
  readonly hostIP?: string | null;
  readonly protocol?: string | null;
}

export interface ContainerJson {
  readonly name?: string | null;
  readonly resources?: RequirementsJson | null;
  /** `Always` on an init container makes it a sidecar. */
  readonly restartPolicy?: string | null;
  readonly ports?: readonly ContainerPortJson[] | null;
  readonly restartPolicyRules?: readonly { readonly action?: string | null }[] | null;
}

export interface PodSpecJson {
  readonly containers?: readonly ContainerJson[] | null;
  readonly initContainers?: readonly ContainerJson[] | null;
  readonly resources?: RequirementsJson | null;
  readonly overhead?: QuantityList | null;
  readonly hostNetwork?: boolean | null;
  readonly hostUsers?: boolean | null;
}

export interface ContainerStatusJson {
  readonly name?: string | null;
  readonly resources?: RequirementsJson | null;
  readonly allocatedResources?: QuantityList | null;
}

export interface PodConditionJson {
  readonly type?: string | null;
  readonly reason?: string | null;
}

export interface PodStatusJson {
  readonly containerStatuses?: readonly ContainerStatusJson[] | null;
  readonly initContainerStatuses?: readonly ContainerStatusJson[] | null;
  readonly resources?: RequirementsJson | null;
  readonly allocatedResources?: QuantityList | null;
  readonly conditions?: readonly PodConditionJson[] | null;
}

export interface PodJson {
  readonly spec?: PodSpecJson | null;
  readonly status?: PodStatusJson | null;
}

export function isSidecar(initContainer: ContainerJson): boolean {
  return initContainer.restartPolicy === 'Always';
}
