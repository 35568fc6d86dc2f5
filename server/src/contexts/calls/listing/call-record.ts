import { z } from 'zod';
import { timestampText } from '../../../platform/schemas.ts';
import { type PriceExplanation, priceExplanation } from '../../billing/index.ts';
import { callVerdicts } from '../lifecycle/quality.rules.ts';
import type { CallNote } from '../notes/note.rules.ts';
import type { ListedCall } from './call-list.store.ts';

const reais = z.number();

/** A call as the API returns it. */
export const callRecord = z.object({
  id: z.uuid(),
  domain: z.string(),
  call_type: z.enum(['outbound', 'inbound', 'internal']),
  status: z.enum(['queued', 'ringing', 'dialing', 'answered', 'ended']),
  started_at: timestampText,
  answered_at: timestampText.nullable().meta({ description: 'When the destination answered.' }),
  ended_at: timestampText.nullable().meta({ description: 'Null until the call has ended.' }),
  from: z.string().meta({ description: 'The extension; for an inbound call, the calling number.' }),
  to: z.string().meta({
    description: 'The destination, in digits with country code; for an internal call, the extension called.',
  }),
  duration: z.int().meta({ description: 'Seconds from the answer of the destination to the end.' }),
  billed_duration: z.int().nullable().meta({ description: 'Seconds charged.' }),
  hangup_cause: z.string().nullable(),
  ended_by: z.enum(['extension', 'destination', 'system']).nullable(),
  record_url: z.string().nullable().meta({
    description: 'Link to the recording, valid for 15 minutes without a token; null if there is none.',
  }),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  BINA: z.string(),
  minute_price: reais.nullable().meta({ description: 'Null until the call is rated.' }),
  call_price: reais.nullable().meta({ description: 'Null until the call is rated.' }),
  metadata: z.looseObject({}).meta({ description: 'As sent when the call was placed.' }),
  disposition: z.string().nullable().meta({ description: 'The result of the call, as a user chose it.' }),
  note: z.string().nullable(),
  tags: z.array(z.string()),
  on_hold: z.boolean().meta({ description: 'Whether a party of the running call is on hold.' }),
  quality: z.enum(callVerdicts).nullable().meta({
    description:
      'Estimated quality of the audio: that of the worse leg, `one_way` if no audio arrived from one party, `no_audio` if from neither; null until the call has ended and for calls of less than 5 seconds.',
  }),
});
export type CallRecord = z.output<typeof callRecord>;

export const callTimeline = z.array(z.looseObject({ at: timestampText, what: z.string() })).meta({
  description:
    'The events of the call with their times. `what` is `queued`, `ringing`, `dialing`, `answered`, `audio_missing`, `audio_returned`, `held`, `resumed`, `muted`, `unmuted`, `transfer_started`, `transfer_completed`, `transfer_cancelled`, `transfer_failed`, `party_joined`, `party_left` or `ended`; more may be added. `audio_missing` has the party as `from` (`extension` or `destination`) and a `reason`: `no_packets` if no packets arrive from it, `undecodable` if they arrive in a format that was not negotiated, `other_address` if they arrive from another address than that of the phone, after which the call ends. `audio_returned` has `from`. Each is reported at most once per party, except that `other_address` may follow another reason. `held`, `resumed`, `muted`, `unmuted`, `party_joined` and `party_left` have the `party` (`extension` or `destination`) and its `leg`; `party_left` also has the `cause`. Those of a transfer have its `kind`, the called `leg`, the transferring one as `by` and, if it failed, the `cause`; the numbers are in `legs`.',
});

/** A record with the parts requested by `include`. */
export const includedRecord = callRecord.extend({
  price: priceExplanation.nullable().optional().meta({ description: 'With `include` `price`.' }),
  timeline: callTimeline.optional().meta({ description: 'With `include` `timeline`.' }),
});

export interface Includes {
  price?: PriceExplanation | null;
  timeline?: z.output<typeof callTimeline>;
}

export const presentCall = (
  call: ListedCall,
  { recordUrl, note }: { recordUrl: string | null; note: CallNote },
): CallRecord => ({
  id: call.id,
  domain: call.domain,
  call_type: call.call_type as CallRecord['call_type'],
  status: call.status as CallRecord['status'],
  started_at: call.started_at.toISOString(),
  answered_at: call.answered_at?.toISOString() ?? null,
  ended_at: call.ended_at?.toISOString() ?? null,
  from: call.from,
  to: call.to,
  duration: call.duration,
  billed_duration: call.billed_duration,
  hangup_cause: call.hangup_cause,
  ended_by: call.ended_by as CallRecord['ended_by'],
  record_url: recordUrl,
  email: call.email,
  first_name: call.first_name,
  last_name: call.last_name,
  BINA: call.bina,
  minute_price: call.minute_price,
  call_price: call.call_price,
  metadata: call.metadata as CallRecord['metadata'],
  disposition: note.disposition,
  note: note.note,
  tags: note.tags,
  on_hold: call.on_hold,
  quality: call.quality as CallRecord['quality'],
});
