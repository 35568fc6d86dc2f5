import { hangupCauseCode } from '../calls/index.ts';
import { type RecordingUrlDeps, recordingUrl } from '../recordings/index.ts';
import { type CallSnapshot, eventBody, type Recipient } from './payload.rules.ts';

export interface LoggedEvent {
  type: string;
  subjectId: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  accountSequence: number;
  /** Set only if the event does not contain its call. */
  call: Record<string, unknown> | null;
}

/** Lifetime of recording links, in seconds. */
const linkSeconds = 24 * 3600;

/** Returns the public body of an event, with fresh links for a reader who may listen to the recording. */
export function presentEvent(
  deps: RecordingUrlDeps,
  event: LoggedEvent,
  { version, domain, timezone }: Recipient,
  listener: string | undefined,
): Record<string, unknown> {
  const call = (event.call ?? event.data.call ?? undefined) as
    | (CallSnapshot & { recorded?: boolean })
    | undefined;
  const isRecorded = call?.recorded === true && call.duration > 0;
  return eventBody(
    { ...event, call, sequence: event.data.sequence as number | undefined },
    { version, domain, timezone },
    {
      recordUrl: isRecorded && listener ? recordingUrl(deps, call.id, listener, linkSeconds) : null,
      hangupCauseCode: call?.hangup_cause ? hangupCauseCode(call.hangup_cause) : null,
    },
  );
}

/** Returns the message id: the same for every receiver and every attempt. */
export const webhookMessageId = (eventId: string): string => `msg_${eventId}`;
