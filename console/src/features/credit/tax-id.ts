/** Formats a CPF `123.456.789-09` or CNPJ `11.222.333/0001-81`. */
export const formatTaxId = (taxId: string): string =>
  taxId.length === 11
    ? taxId.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : taxId.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
