import { type ApiClient, type Body, until } from './api-client.ts';
import { say } from './say.ts';

interface Step {
  at: string;
  what: 'queued' | 'ringing' | 'dialing' | 'answered' | 'ended';
}

const meanings: Record<Step['what'], string> = {
  queued: 'accepted by the API',
  ringing: 'the softphone rings',
  dialing: 'the softphone answered; calling the carrier',
  answered: 'both sides are connected and recorded',
  ended: '',
};

/** Prints every step of a call as it happens; returns the call when it has ended. */
export async function followCall(admin: ApiClient, id: string): Promise<Body> {
  let printed = 0;
  return await until('the call ends', 60, async () => {
    const call = await admin.get(`/calls/${id}`);
    const steps = call.timeline as Step[];
    for (const step of steps.slice(printed)) printStep(step, steps[0] ?? step, call);
    printed = steps.length;
    return call.status === 'ended' ? call : undefined;
  });
}

function printStep({ at, what }: Step, first: Step, call: Body): void {
  const after = ((Date.parse(at) - Date.parse(first.at)) / 1_000).toFixed(1);
  const meaning =
    what === 'ended'
      ? `${String(call.hangup_cause)} by the ${String(call.ended_by)}, ${String(call.duration)} s after the answer`
      : meanings[what];
  say('', `${after.padStart(5)} s  ${what.padEnd(9)} ${meaning}`);
}
