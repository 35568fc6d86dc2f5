import type { IncomingLeg, RoutingDecision } from '../../contexts/telephony/index.ts';
import { secondsOf } from './engine-end.ts';
import { endpointOf, trunkVariables } from './originate.ts';

/** Excludes characters that have a special meaning in channel variable names. */
const legShape = /^[A-Za-z0-9.-]{1,80}$/;
const digestShape = /^[0-9a-f]{32}$/;

/** Parses the dialplan's report of a leg that waits for its routing decision. */
export function readIncomingLeg(
  fields: Record<string, string | undefined>,
  tlsListener: string | undefined,
): IncomingLeg | undefined {
  const { Leg: leg = '', Called: called = '', Source: source = '', Sip: sip = '' } = fields;
  const onNode = secondsOf(fields.At);
  if (!legShape.test(leg) || !digestShape.test(sip) || onNode === null) return undefined;
  const common = { leg, sip, called, source, onNode };
  if (fields.By === 'carrier') {
    // The listener that received it is certain; the Via and Contact headers are the sender's.
    const isEncrypted = tlsListener !== undefined && fields.Local === tlsListener;
    return {
      ...common,
      by: 'carrier',
      from: fields.From ?? '',
      endpoint: fields.Endpoint ?? '',
      isEncrypted,
    };
  }
  return {
    ...common,
    by: 'phone',
    ramal: fields.Ramal ?? '',
    domain: fields.Domain ?? '',
    notAfter: Number(fields.NotAfter ?? 0),
    signature: fields.Signature ?? '',
  };
}

/**
 * Encodes the decision for the dialplan: a SIP status, or variables to set. Contains only digits, addresses and our own
 * ids.
 */
export function encodeDecision(decision: RoutingDecision): string {
  if (decision.kind === 'refuse') return `refuse:${decision.status}`;
  const { callId, ringSeconds, fundedSeconds, record } = decision.call;
  const variables: Record<string, string | number> = {
    __CALL_ID: callId,
    RING: ringSeconds,
    FUNDED: fundedSeconds,
    RECORD: record ? 'wav' : '',
    ...(decision.kind === 'trunk'
      ? { ROUTE: 'c2c', ...trunkVariables(decision.routes) }
      : phoneVariables(decision)),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${plain(String(value))}`)
    .join(',');
}

const phoneVariables = (decision: Extract<RoutingDecision, { kind: 'phone' }>): Record<string, string> => ({
  ROUTE: 'ring',
  PHONE: `${decision.ramal}@${decision.domain}`,
  VIA: endpointOf(decision.way),
  CLI: decision.shown,
});

function plain(text: string): string {
  if (/^[A-Za-z0-9.:@[\]-]*(?:;transport=t(?:cp|ls))?$/.test(text)) return text;
  throw new Error('The routing decision contains characters the dialplan could misread.');
}
