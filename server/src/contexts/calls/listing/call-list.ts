import { defineList, type ListDefinition } from '../../../platform/filter/index.ts';
import { callStates } from '../call.rules.ts';
import { callVerdicts } from '../lifecycle/quality.rules.ts';

/** Calls have no index by duration and price: both change when a call ends, and each end would write every index. */
const sortWindowDays = 31;

/** Most calls have no note. */
const notes = { table: 'call_notes', id: 'id' };

/** The filters of `GET /calls`, the search and the export. The table's indexes support them. */
const definition = {
  name: 'calls',
  fields: {
    id: { type: 'uuid', sortable: true },
    domain: { type: 'text' },
    call_type: { type: 'enum', values: ['outbound', 'inbound', 'internal'] },
    // Sorted by id, which encodes the same time.
    started_at: { type: 'timestamp', aliases: ['date'], sortable: true, sortColumn: 'id', clockSkewMs: 0 },
    ended_at: { type: 'timestamp', nullable: true },
    from: { type: 'text', isPhone: true, aliases: ['extension'] },
    to: { type: 'text', isPhone: true, aliases: ['phone'], reversedColumn: 'to_reversed' },
    duration: { type: 'integer', sortable: true, sortWindowDays },
    hangup_cause: { type: 'text', nullable: true },
    // Links are signed at each request, so this filter tests only whether one exists.
    record_url: { type: 'text', nullable: true },
    email: { type: 'text', isFolded: true },
    first_name: { type: 'text', isFolded: true },
    last_name: { type: 'text', isFolded: true },
    BINA: { column: 'bina', type: 'text', isPhone: true },
    minute_price: { type: 'number', nullable: true },
    call_price: { type: 'number', nullable: true, sortable: true, sortWindowDays },
    metadata: { type: 'json', pairsTable: 'call_pairs' },
    status: {
      type: 'enum',
      values: [...callStates, 'ended'],
      membersTable: {
        table: 'live_calls',
        id: 'call_id',
        column: 'state',
        values: callStates,
        setForOthers: 'ended_at',
      },
    },
    answered_at: { type: 'timestamp', nullable: true },
    billed_duration: { type: 'integer', nullable: true },
    disposition: { type: 'text', nullable: true, rowsTable: notes },
    note: { type: 'text', nullable: true, rowsTable: notes },
    tags: { type: 'tags', nullable: true, rowsTable: notes },
    ended_by: { type: 'enum', values: ['extension', 'destination', 'system'], nullable: true },
    on_hold: { type: 'boolean', trueIds: 'held_calls' },
    quality: { type: 'enum', values: callVerdicts, nullable: true },
  },
  defaultOrder: ['started_at DESC'],
  tieBreaker: 'id',
  includes: ['price', 'timeline'],
  maxLimit: 100,
  scan: { walkRows: 3_000, seekRows: 600, seeks: ['on_hold', 'metadata', 'to', 'email', 'from'] },
} as const satisfies ListDefinition;

export const callsList = defineList(definition);

export const searchList = defineList({ ...definition, maxLimit: 500 });

/**
 * Limits of the export. A page may scan as many rows as the file may contain, so that a sparse filter does not fail the
 * export half-way. The export reads in small steps, so that no statement runs long.
 */
export const exportList = defineList({
  ...definition,
  // Each step would sort the whole range again.
  fields: {
    ...definition.fields,
    duration: { type: 'integer' },
    call_price: { type: 'number', nullable: true },
  },
  includes: [],
  maxLimit: 10_000_000,
  scan: { ...definition.scan, walkRows: 10_000_000 },
  statementTimeoutMs: 5_000,
});
