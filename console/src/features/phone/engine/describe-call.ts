import { type Party, partyOf } from '../../../../../server/src/platform/party.ts';
import type { Call } from './call.ts';
import { type CallDetails, readCall } from './live-call.ts';

/** After this time, a call whose record could not be read is shown as incoming. */
const lookupMs = 2_000;
const pollMs = 4_000;

/**
 * Reads the record of a call and shows what it says. Live events report the answer of a placed call; its record is read
 * again until then, because an event may be late or the stream unavailable.
 */
export async function describeCall(call: Call, ramal: string): Promise<void> {
  const late = setTimeout(() => showUnknown(call), lookupMs);
  const read = await readRecord(call);
  clearTimeout(late);
  if (read) show(call, ramal, read);
  else showUnknown(call);
  while (isConnecting(call)) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const later = isConnecting(call) ? await readRecord(call) : undefined;
    if (later?.answered_at) call.connect(later.answered_at);
  }
}

const readRecord = async (call: Call): Promise<CallDetails | undefined> =>
  call.state.id === undefined ? undefined : await readCall(call.state.id).catch(() => undefined);

function showUnknown(call: Call): void {
  if (call.state.isPlaced === undefined)
    call.describe({ isPlaced: false, party: undefined, isRecorded: false });
}

function show(call: Call, ramal: string, record: CallDetails): void {
  const isPlaced = call.state.direction === 'in' && record.call_type === 'outbound' && record.from === ramal;
  const isRecorded = record.recording?.state === 'expected';
  call.describe({ isPlaced, party: otherParty(record), isRecorded });
  if (record.answered_at) call.connect(record.answered_at);
}

/** Returns the name and the deal in the metadata of the call, or else in the contact of the number. */
function otherParty({ metadata, contact }: CallDetails): Party | undefined {
  const party = partyOf(metadata);
  const name = party?.name ?? contact?.name ?? undefined;
  const deal = party?.deal ?? contact?.deal ?? undefined;
  return name === undefined && deal === undefined ? undefined : { name, deal };
}

/** Whether the destination of a placed call has not answered yet. */
const isConnecting = ({ state, isOver }: Call): boolean =>
  !isOver && state.isPlaced === true && state.stage !== 'talking';
