import { testShortForms } from './run.ts';

testShortForms('bench-short', [
  ['http', ['http.users-me']],
  ['ledger', ['ledger.hold-settle']],
  ['list', ['list.summary', 'list.first-page', 'list.cursor-page']],
  ['request-log', ['request-log.read', 'request-log.refused', 'request-log.write']],
  ['search', ['search.number', 'search.name-and-number', 'search.metadata']],
  ['webhooks', ['webhooks.first']],
  ['webhooks-fairness', ['webhooks.fairness']],
]);
