/** How the programs are run on one cloud, and how to make trouble in it. */
export interface CloudGuide {
  /** `Hetzner`, `Utho`: the API is called by it. */
  readonly name: string;
  /** Flags of `run`, and of the Go program. `cloudConfig` is the path of the file below. */
  flags(cloudConfig: string): readonly string[];
  environment(cloudUrl: string): Readonly<Record<string, string>>;
  /** What the cloud-config file says; null: this cloud has none. */
  cloudConfig(cloudUrl: string): object | null;
  /** What the Go program needs beyond that, in a sentence or two. */
  readonly goProgram: string;
  /** The published rules for the service account, as a path in the repository. */
  readonly accessRules: string;
  /**
   * Requests to the cloud's admin interface: machines are sold out, and then they are to be had again. Empty where
   * there is no group that wants any.
   */
  readonly trouble: readonly (readonly [path: string, body: object])[];
}
