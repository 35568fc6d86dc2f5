import type { z } from 'zod';
import { type EventType, eventTypes } from '../../../platform/event-types.ts';
import { createKeyRing } from '../../../platform/keyring.ts';
import { presentEvent, webhookMessageId } from '../../events/index.ts';
import { signatureHeaders } from '../delivery/sign.ts';
import { sampleOf } from '../testing/sample.rules.ts';
import { payloads } from './payload.schemas.ts';

export interface DescribedWebhook {
  type: EventType;
  summary: string;
  payload: z.ZodType;
  /** A sample, built and signed by the code that builds and signs deliveries. */
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

const summaries: Record<EventType, string> = {
  'channel-create': 'A call was created',
  'channel-ringing': 'The extension rings',
  'channel-answer': 'The destination answered',
  'channel-hangup': 'A call ended',
  'call-priced': 'The price of a call is known',
  'recording-ready': 'The recording of a call is stored',
  'call-updated': 'The disposition, note or tags of a call changed',
  'channel-hold': 'A party of a call was put on hold',
  'channel-unhold': 'A party of a call is no longer on hold',
  'channel-transfer': 'A transfer of a call started, or ended',
  'channel-conference': 'A party was invited into a call, joined it, or did not answer',
  'charge-paid': 'A charge was paid',
  'balance-low': 'The credit fell below the threshold of the account',
};

const at = new Date('2026-11-15T12:00:00.000Z');
const id = '019a8f00-7c5e-7a51-8c1d-3f6c6d3e8c52';
const secret = 'whsec_ZGlzY2EgZXhhbXBsZSBzZWNyZXQ=';
const recipient = { version: '1.8', domain: 'padaria.disca.example', timezone: 'America/Sao_Paulo' };
const links = {
  keyRing: createKeyRing([{ id: 'example', secret: Buffer.from('example') }]),
  clock: { now: () => at },
  publicUrl: 'https://voice.example.com',
};

/** Describes every webhook, with a sample of its request. */
export const describeWebhooks = (): DescribedWebhook[] =>
  eventTypes.map((type) => {
    const sample = sampleOf(type, { domain: recipient.domain, callId: id, at });
    const body = presentEvent(links, sample, recipient, id);
    return {
      type,
      summary: summaries[type],
      payload: payloads[type],
      body,
      headers: signatureHeaders(webhookMessageId(id), at, JSON.stringify(body), [secret]),
    };
  });
