/** Samples a minute apart, in promtool's notation: `0+1x20` is 0, 1, 2 … 20. */
type Series = Record<string, string>;

export interface Case {
  series: Series;
  /** Time of the evaluation, such as `15m`. */
  at: string;
}

export interface Alert {
  name: string;
  severity: 'critical' | 'warning';
  /** PromQL condition. */
  when: string;
  /** Duration for which the condition must hold. */
  lasting: string;
  /** The problem, for the person on call. */
  summary: string;
  /** What to check first. */
  action: string;
  /** A case in which the alert fires; `labels` are those of the resulting alert. */
  fires: Case & { labels?: Record<string, string> };
  /** A similar case in which the alert must not fire. */
  silent: Case;
}
