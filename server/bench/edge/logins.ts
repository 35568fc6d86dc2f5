import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import type { SipAddress } from '../../../tools/dev/voice/cell.ts';
import { openCrowd } from '../../test/scenarios/edge-endurance/crowd.ts';
import { crowdPhone } from '../../test/scenarios/edge-endurance/crowd-rows.ts';
import { type Side, watch } from '../measure/blocks.ts';

export interface LoginPlan {
  name: string;
  engine: RunningKamailio;
  place: SipAddress;
  /** Pid of the PostgreSQL postmaster. */
  postgres: number;
  perSecond: number;
  seconds: number;
}

const settleMs = 500;

/**
 * Returns a side in which phones log in from new sockets at a fixed rate: a challenge, a digest, and a registration that
 * replaces the previous one.
 */
export const loginSide = ({ name, engine, place, postgres, perSecond, seconds }: LoginPlan): Side => ({
  name,
  watched: [watch('Kamailio', engine), watch('PostgreSQL', { pid: postgres })],
  async load() {
    const phones = Array.from({ length: perSecond * seconds }, (_, index) => crowdPhone(index));
    const crowd = await openCrowd(place, phones, 'udp');
    try {
      const { failed, retransmissions } = await crowd.registerAtOnce(perSecond);
      await sleep(settleMs);
      if (failed > 0) throw new Error(`${failed} of ${phones.length} logins failed.`);
      return { units: phones.length, values: { retransmissions } };
    } finally {
      await crowd.close();
    }
  },
});
