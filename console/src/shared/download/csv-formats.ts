/** The forms of CSV that the API writes; the first suits the spreadsheets of most users in Brazil. */
export const csvFormats = ['excel-br', 'standard'] as const;
export type CsvFormat = (typeof csvFormats)[number];
