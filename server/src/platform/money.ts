/** Money is an integer of micro-reais internally (R$ 1 = 1,000,000) and a JSON number of reais in the API. */
const microsPerReal = 1_000_000;

export const reaisFromMicros = (micros: number): number => micros / microsPerReal;

/** Converts reais exactly, for amounts with up to six decimals. */
export const microsFromReais = (reais: number): number => Math.round(reais * microsPerReal);
