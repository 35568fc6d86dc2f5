import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventTypes } from '../../src/platform/event-types.ts';

test('the SQL function that creates deliveries lists the same event types', () => {
  const sql = readFileSync(new URL('../../sql/webhooks/number_events.sql', import.meta.url), 'utf8');
  const listed = /ANY \('\{(channel-create[^}]*)\}'/.exec(sql)?.[1]?.split(',');
  expect(listed).toEqual([...eventTypes]);
});
