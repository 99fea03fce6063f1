export interface Exposition {
  /** With version and character set. */
  readonly contentType: string;
  readonly text: string;
}

/** The other side of {@link Metrics}: what a scrape reads. */
export interface MetricsExposition {
  /**
   * Shows the series of the autoscaler. To be called once leadership is won: a standby shows only process and client
   * series, so that sums over replicas do not double (`interface` 2.1). Further calls do nothing.
   */
  showAutoscalerSeries(): void;
  render(): Promise<Exposition>;
}

export const MetricsExposition = Symbol('MetricsExposition');
