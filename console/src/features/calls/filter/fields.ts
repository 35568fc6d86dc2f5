import type { texts } from '../../../locales/pt-BR/index.ts';

export type Operator = keyof typeof texts.calls.operators;

/** Type of a field; determines its input and format. */
export type Kind = 'digits' | 'text' | 'choice' | 'seconds' | 'money' | 'moment' | 'recording' | 'id' | 'tag';

const operatorsByKind: Record<Kind, readonly [Operator, ...Operator[]]> = {
  digits: ['is', 'ends', 'starts', 'contains', 'not'],
  text: ['is', 'contains', 'starts', 'not'],
  choice: ['any'],
  seconds: ['least', 'most', 'between'],
  money: ['least', 'most', 'between'],
  moment: ['exists', 'missing', 'after', 'before'],
  recording: ['exists', 'missing'],
  id: ['is'],
  tag: ['is', 'not', 'exists', 'missing'],
};

export type FieldName = keyof typeof texts.calls.fields;

export interface CallField {
  name: FieldName;
  kind: Kind;
  /** Name in the API, if different. */
  apiName?: string;
  values?: readonly string[];
}

export const runningStates = ['queued', 'ringing', 'dialing', 'answered'] as const;

/** All filterable fields of the call list, in menu order. */
export const callFields: readonly CallField[] = [
  { name: 'phone', kind: 'digits' },
  { name: 'extension', kind: 'digits' },
  { name: 'status', kind: 'choice', values: [...runningStates, 'ended'] },
  {
    name: 'hangup_cause',
    kind: 'choice',
    values: [
      'NORMAL_CLEARING',
      'NO_ANSWER',
      'USER_BUSY',
      'CALL_REJECTED',
      'ORIGINATOR_CANCEL',
      'NO_USER_RESPONSE',
      'UNALLOCATED_NUMBER',
      'SUBSCRIBER_ABSENT',
      'INCOMING_CALL_BARRED',
      'NUMBER_CHANGED',
      'INVALID_NUMBER_FORMAT',
      'ALLOTTED_TIMEOUT',
      'NORMAL_TEMPORARY_FAILURE',
      'NORMAL_CIRCUIT_CONGESTION',
      'NETWORK_OUT_OF_ORDER',
      'RECOVERY_ON_TIMER_EXPIRE',
    ],
  },
  { name: 'duration', kind: 'seconds' },
  { name: 'recording', kind: 'recording', apiName: 'record_url' },
  { name: 'email', kind: 'text' },
  { name: 'first_name', kind: 'text' },
  { name: 'last_name', kind: 'text' },
  { name: 'metadata', kind: 'text' },
  { name: 'disposition', kind: 'tag' },
  { name: 'tags', kind: 'tag' },
  { name: 'note', kind: 'text' },
  { name: 'call_price', kind: 'money' },
  { name: 'minute_price', kind: 'money' },
  { name: 'billed_duration', kind: 'seconds' },
  { name: 'ended_by', kind: 'choice', values: ['extension', 'destination', 'system'] },
  { name: 'call_type', kind: 'choice', values: ['outbound', 'inbound', 'internal'] },
  { name: 'quality', kind: 'choice', values: ['good', 'fair', 'poor', 'one_way', 'no_audio'] },
  { name: 'answered_at', kind: 'moment' },
  { name: 'ended_at', kind: 'moment' },
  { name: 'BINA', kind: 'digits' },
  { name: 'domain', kind: 'text' },
  { name: 'id', kind: 'id' },
];

const metadataPrefix = 'metadata.';

/** Returns the field of a URL parameter; `metadata.deal` is a metadata key. */
export const findField = (name: string): CallField | undefined =>
  callFields.find((field) =>
    field.name === 'metadata' ? name.startsWith(metadataPrefix) : field.name === name,
  );

export const metadataName = (key: string): string => `${metadataPrefix}${key}`;
export const metadataKey = (name: string): string => name.slice(metadataPrefix.length);

export const operatorsFor = (field: CallField): readonly [Operator, ...Operator[]] =>
  operatorsByKind[field.kind];

export const needsNoValue = (operator: Operator): boolean => operator === 'exists' || operator === 'missing';
