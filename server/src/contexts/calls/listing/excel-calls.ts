import { causeInPortuguese } from '../../../platform/cause-texts.ts';
import { excelPhone, excelTime } from '../../../platform/csv.ts';
import type { CallRecord } from './call-record.ts';

const types: Record<CallRecord['call_type'], string> = {
  outbound: 'realizada',
  inbound: 'recebida',
  internal: 'interna',
};
const sides = { extension: 'ramal', destination: 'destino', system: 'sistema' };
const qualities = {
  good: 'boa',
  fair: 'regular',
  poor: 'ruim',
  one_way: 'áudio em um só sentido',
  no_audio: 'sem áudio',
};
const running = { queued: 'na fila', ringing: 'tocando', dialing: 'discando', answered: 'em conversa' };

type Value = string | number | null;

interface Column {
  title: string;
  cell: (call: Partial<CallRecord>, timeZone: string) => Value | undefined;
}

const time =
  (field: 'started_at' | 'answered_at' | 'ended_at'): Column['cell'] =>
  (call, timeZone) =>
    excelTime(call[field] ?? null, timeZone);
const phone =
  (field: 'from' | 'to' | 'BINA'): Column['cell'] =>
  (call) =>
    excelPhone(call[field] ?? '');

/** The columns of the file for Brazilian spreadsheets, in its order. */
const columns: Record<keyof CallRecord, Column> = {
  started_at: { title: 'Início', cell: time('started_at') },
  call_type: { title: 'Sentido', cell: ({ call_type }) => call_type && types[call_type] },
  from: { title: 'De', cell: phone('from') },
  to: { title: 'Para', cell: phone('to') },
  first_name: { title: 'Nome', cell: (call) => call.first_name },
  last_name: { title: 'Sobrenome', cell: (call) => call.last_name },
  email: { title: 'E-mail do usuário', cell: (call) => call.email },
  status: {
    title: 'Status',
    cell: ({ status }) => status && (status === 'ended' ? 'encerrada' : running[status]),
  },
  hangup_cause: {
    title: 'Motivo do encerramento',
    cell: ({ hangup_cause: cause }) => cause && causeInPortuguese(cause),
  },
  answered_at: { title: 'Atendida em', cell: time('answered_at') },
  ended_at: { title: 'Encerrada em', cell: time('ended_at') },
  ended_by: { title: 'Encerrada por', cell: ({ ended_by: side }) => side && sides[side] },
  duration: { title: 'Duração (s)', cell: (call) => call.duration },
  billed_duration: { title: 'Duração cobrada (s)', cell: (call) => call.billed_duration },
  minute_price: { title: 'Preço por minuto (R$)', cell: (call) => call.minute_price },
  call_price: { title: 'Preço (R$)', cell: (call) => call.call_price },
  record_url: { title: 'Gravação', cell: (call) => call.record_url },
  BINA: { title: 'Identificador (BINA)', cell: phone('BINA') },
  metadata: { title: 'Metadados', cell: ({ metadata }) => metadata && JSON.stringify(metadata) },
  disposition: { title: 'Classificação', cell: (call) => call.disposition },
  note: { title: 'Observação', cell: (call) => call.note },
  tags: { title: 'Etiquetas', cell: ({ tags }) => tags?.join(', ') },
  on_hold: { title: 'Em espera', cell: (call) => (call.on_hold ? 'sim' : 'não') },
  domain: { title: 'Domínio', cell: (call) => call.domain },
  id: { title: 'ID da chamada', cell: (call) => call.id },
  quality: { title: 'Qualidade do áudio', cell: ({ quality }) => quality && qualities[quality] },
};

export const excelColumns = Object.keys(columns) as (keyof CallRecord)[];

/** `signed` links expire after minutes; `console` links lead to the call in the console and need a login. */
export type Links = 'signed' | 'console';

const linkNotes: Record<Links, string> = {
  signed: 'link válido por 15 minutos',
  console: 'abre no console, com login',
};

export const excelTitles = (fields: (keyof CallRecord)[], links: Links): string[] =>
  fields.map((field) =>
    field === 'record_url' ? `${columns[field].title} (${linkNotes[links]})` : columns[field].title,
  );

export const excelCells = (fields: (keyof CallRecord)[], call: Partial<CallRecord>, timeZone: string) =>
  fields.map((field) => columns[field].cell(call, timeZone));
