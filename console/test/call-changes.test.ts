import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAccount } from '../../server/src/platform/db/database.ts';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { expectRecording } from '../../server/test/harness/fixtures/expect-recording.ts';
import { upload, wav } from '../../server/test/harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { nothing, type View } from './harness/browser.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

/** Adds a call that has just ended, and whose recording is not stored yet. */
async function addEndedCall(): Promise<string> {
  const { database, clock, api } = testConsole.platform;
  const at = clock.now();
  const [callId = ''] = await insertCalls(database, account, [
    { startedAt: at, duration: 5, recorded: true },
  ]);
  await inAccount(api.base.db, account.id, (tx) =>
    expectRecording(tx, { accountId: account.id, callId, at }),
  );
  return callId;
}

/** Stores the recording and publishes the event `recording-ready`. */
async function storeRecording(callId: string): Promise<void> {
  expect(await upload(testConsole.platform, callId, wav(5))).toBe('stored');
  await numberEvents(testConsole.platform);
}

/** Opens a page that records the types of the live events it has received. */
async function openRecordingView(): Promise<View> {
  const view = await testConsole.viewAs(account.admin, nothing);
  await view.page.addInitScript((channel) => {
    const received: string[] = [];
    Object.assign(window, { received });
    // The page sends its events to other tabs after it has handled them.
    new BroadcastChannel(channel).onmessage = ({ data }) => received.push(data.event?.type);
  }, `disca-live-${account.admin.uuid}`);
  return view;
}

const whenReceived = (page: Page, type: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (window as unknown as { received: string[] }).received))
    .toContain(type);

const whenAwaited = (page: Page) => page.getByText('A gravação está sendo processada.').waitFor();
const whenOffered = (page: Page) => page.getByRole('button', { name: 'Ouvir gravação' }).waitFor();

test('details that are opened again show what has changed in the meantime', async () => {
  const callId = await addEndedCall();
  const view = await openRecordingView();
  const { page } = view;
  await page.goto(`/calls/${callId}`);
  await view.following();
  await whenAwaited(page);
  await page.getByRole('link', { name: 'Todas as chamadas' }).click();
  await page.getByRole('heading', { level: 1, name: 'Chamadas' }).waitFor();
  await storeRecording(callId);
  await whenReceived(page, 'recording-ready');
  await page.goBack();
  await whenOffered(page);
  expect(view.faults).toEqual([]);
  await view.close();
});

test('a change of a call while its details are loaded for the first time is shown', async () => {
  const callId = await addEndedCall();
  const view = await openRecordingView();
  const { page } = view;
  const read = Promise.withResolvers<void>();
  const received = Promise.withResolvers<void>();
  await page.route(
    `**/api/v1/calls/${callId}`,
    async (route) => {
      const response = await route.fetch();
      read.resolve();
      await received.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(`/calls/${callId}`);
  await view.following();
  await read.promise;
  await storeRecording(callId);
  await whenReceived(page, 'recording-ready');
  received.resolve();
  await whenOffered(page);
  expect(view.faults).toEqual([]);
  await view.close();
});

test('a change of a call before the event stream is open is shown', async () => {
  const callId = await addEndedCall();
  const view = await openRecordingView();
  const { page } = view;
  const changed = Promise.withResolvers<void>();
  await page.route('**/events/stream', async (route) => {
    await changed.promise;
    await route.continue();
  });
  await page.goto(`/calls/${callId}`);
  await whenAwaited(page);
  await storeRecording(callId);
  changed.resolve();
  await whenOffered(page);
  expect(view.faults).toEqual([]);
  await view.close();
});
