export const homePeriods = ['today', 'month'] as const;
export type HomePeriod = (typeof homePeriods)[number];

export const validateSearch = (search: Record<string, unknown>): { period?: HomePeriod } =>
  search.period === 'month' ? { period: 'month' } : {};
