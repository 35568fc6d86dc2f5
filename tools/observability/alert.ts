/** Samples a minute apart, in promtool's notation: `0+1x20` is 0, 1, 2 … 20. */
type Series = Record<string, string>;

export interface Case {
  series: Series;
  /** When it is looked, such as `15m`. */
  at: string;
}

export interface Alert {
  name: string;
  severity: 'critical' | 'warning';
  /** PromQL. */
  when: string;
  /** How long it has to last. */
  lasting: string;
  /** What is wrong, for whoever is woken. */
  summary: string;
  /** What to look at first. */
  action: string;
  /** What makes it fire; `labels` are those that the expression leaves. */
  fires: Case & { labels?: Record<string, string> };
  /** What looks alike and is no reason to wake anybody. */
  silent: Case;
}
