/** Money is whole micro-reais inside (R$ 1 = 1,000,000) and a JSON number of reais outside. */
const microsPerReal = 1_000_000;

export const reaisFromMicros = (micros: number): number => micros / microsPerReal;

/** Exact for any amount with at most six decimals. */
export const microsFromReais = (reais: number): number => Math.round(reais * microsPerReal);
