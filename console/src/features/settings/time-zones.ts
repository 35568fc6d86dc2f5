/** The time zones of Brazil, from the most populous one. */
const brazilian = [
  'America/Sao_Paulo',
  'America/Bahia',
  'America/Fortaleza',
  'America/Recife',
  'America/Maceio',
  'America/Belem',
  'America/Santarem',
  'America/Araguaina',
  'America/Manaus',
  'America/Cuiaba',
  'America/Campo_Grande',
  'America/Porto_Velho',
  'America/Boa_Vista',
  'America/Rio_Branco',
  'America/Eirunepe',
  'America/Noronha',
];

export interface TimeZoneGroup {
  group: string;
  items: { value: string; label: string }[];
}

/** Returns all time zones with their offsets, those of Brazil first. */
export function timeZoneGroups(current: string, names: { brazil: string; others: string }): TimeZoneGroup[] {
  const others = [...new Set([current, ...Intl.supportedValuesOf('timeZone')])].filter(
    (zone) => !brazilian.includes(zone),
  );
  return [
    { group: names.brazil, items: brazilian.map(toItem) },
    { group: names.others, items: others.sort().map(toItem) },
  ];
}

const toItem = (value: string) => ({ value, label: timeZoneName(value) });

/** Returns the name of a zone of the IANA database with its offset: `São Paulo, Brasília (GMT-3)`. */
export function timeZoneName(value: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: value,
    timeZoneName: 'shortOffset',
  }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const name =
    value.startsWith('America/') && brazilian.includes(value) ? value.slice('America/'.length) : value;
  return `${cityNames[value] ?? name.replaceAll('_', ' ')} (${offset})`;
}

/** Names that the IANA database writes without accents. */
const cityNames: Record<string, string> = {
  'America/Sao_Paulo': 'São Paulo, Brasília',
  'America/Maceio': 'Maceió',
  'America/Belem': 'Belém',
  'America/Santarem': 'Santarém',
  'America/Araguaina': 'Araguaína',
  'America/Cuiaba': 'Cuiabá',
  'America/Eirunepe': 'Eirunepé',
  'America/Noronha': 'Fernando de Noronha',
};
