import { testShortForms } from './run.ts';

testShortForms('bench-short-calls', [
  ['calls', ['calls.capacity', 'calls.median', 'calls.processor']],
  ['edge', ['edge.tables.fresh', 'edge.logins', 'edge.storm', 'edge.storm.calls', 'edge.flood']],
  ['placements', ['placements.neighbour']],
]);
