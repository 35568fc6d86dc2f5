import type { LegSource } from '../../contexts/telephony/index.ts';

/**
 * Reads name, audio address and contact of a channel in one request. The name contains the endpoint; the edge adds the
 * source address of the phone to its contact, as `alias=address~port~protocol`.
 */
const items = ['name', 'rtp,dest', 'pjsip,target_uri'];
export const addressesOfLeg = `EVAL(${items.map((item) => `\${CHANNEL(${item})}`).join(' ')})`;

export function readLegSource(read: string): LegSource {
  const [name = '', audio = '', ...contact] = read.split(' ');
  return {
    isPlain: /^PJSIP\/edge-\d+-plain-/.test(name),
    audio: audio.replace(/:\d+$/, ''),
    phone: /;alias=([^;~]+)~\d+~\d+(?!.*;alias=)/.exec(contact.join(' '))?.[1] ?? '',
  };
}
