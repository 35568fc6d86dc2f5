import { sql } from 'kysely';
import type { AudioFault } from '../../../contexts/calls/index.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

interface Missing extends AudioFault {
  calls: number;
  nodes: string;
}

/** Above this share and number of calls, the cause is in this installation rather than at single phones. */
const faultShare = 0.1;
const enoughCalls = 5;
const part = 'call audio';

export const checkAudio = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    return await withDatabase(url, async ({ kysely }) => {
      const { rows: missing } = await sql<Missing>`
        select moment ->> 'from' as "from", moment ->> 'reason' as reason, count(*)::int as calls,
               string_agg(distinct c.node, ', ' order by c.node) as nodes
          from call_records c, jsonb_array_elements(c.timeline) as moment
         where c.id >= uuid_floor(now() - interval '24 hours')
           and c.timeline @> '[{"what": "audio_missing"}]' and moment ->> 'what' = 'audio_missing'
         group by 1, 2 order by 3 desc, 1, 2`.execute(kysely);
      const { rows: totals } = await sql<{ answered: number }>`
        select count(*)::int as answered from call_records
         where id >= uuid_floor(now() - interval '24 hours') and answered_at is not null`.execute(kysely);
      return judgeAudio(missing, totals[0]?.answered ?? 0);
    });
  },
});

function judgeAudio(missing: Missing[], answered: number): Finding[] {
  if (missing.length === 0)
    return [
      ok(part, `audio arrived in both directions of all ${answered} answered calls of the last 24 hours`),
    ];
  return missing.map((each) => {
    const { from, reason, calls, nodes } = each;
    const says = `in ${calls} of ${answered} answered calls of the last 24 hours ${problems[reason](from)}, at ${nodes}`;
    const isInstallation = calls >= enoughCalls && calls >= answered * faultShare;
    return (isInstallation ? fault : warning)(part, says, usualCauses[reason][from]);
  });
}

const problems: Record<AudioFault['reason'], (from: AudioFault['from']) => string> = {
  no_packets: (from) => `no audio arrived from the ${from}`,
  undecodable: (from) => `the audio of the ${from} was not decodable`,
  other_address: (from) =>
    `the audio of the ${from} came from another address than its phone, and the call was ended`,
};

const otherAddress =
  "Usual causes: a telephone system with a separate media server, or a network with several public addresses (the account's ADMIN can switch on mediaFromAnyAddress, or use TLS); otherwise an attack: someone sends packets to the ports of the media node to receive the audio of calls.";

const usualCauses: Record<AudioFault['reason'], Record<AudioFault['from'], string>> = {
  no_packets: {
    extension:
      'Usual causes: NAT (ANNOUNCED_ADDRESS of the media node is not its public address, so phones send elsewhere); a firewall (UDP 10000–19999 to the media node must be open at both ends); a browser that reaches neither the media node nor a relay (check TURN_URLS); silence suppression (switch it off on the phone). If it is always the same extension, check the network of that phone.',
    destination:
      "Usual causes: NAT (ANNOUNCED_ADDRESS of the media node is not its public address, so the carrier sends elsewhere); a firewall (UDP 10000–19999 must be open to the carrier's media addresses, which may differ from its SIP address); silence suppression at the carrier. In calls between extensions, the destination is the called phone.",
  },
  undecodable: {
    extension:
      'Usual cause: the codec. The phone sends one that was not negotiated: enable only PCMA (G.711 A-law) and PCMU (µ-law) on it, and in browsers Opus.',
    destination:
      'Usual cause: the codec. The carrier sends one that was not negotiated: ask it for PCMA (G.711 A-law) or PCMU (µ-law) only. In calls between extensions, the destination is the called phone.',
  },
  other_address: { extension: otherAddress, destination: otherAddress },
};
