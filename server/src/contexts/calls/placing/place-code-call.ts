import { uuidv7 } from '../../../platform/ids.ts';
import type { KeyRing } from '../../../platform/keyring.ts';
import { readPhone } from '../../../platform/phone.ts';
import { holdForCall, type LowBalanceDeps } from '../../billing/index.ts';
import type { PlaceCodeCall } from '../../caller-ids/index.ts';
import { findDomain, writeCall } from '../call.store.ts';
import { approvalRefusal } from '../limits/approval.rules.ts';
import { awaitsApproval } from '../limits/approval.store.ts';
import { findCaps } from '../limits/caps.store.ts';
import { slotOf } from '../limits/slot.rules.ts';
import { suspensionRefusal } from '../limits/suspend-calling.ts';
import { allowedDigits } from './accept-outbound.ts';

export const codePurpose = 'call-code';

/** Places a call that speaks a code to its destination: authorised, held and charged like any other, without an extension. */
export const createPlaceCodeCall =
  (deps: LowBalanceDeps & { keyRing: KeyRing }): PlaceCodeCall =>
  async (tx, { number, code, caller, at }) => {
    const { accountId } = caller;
    const caps = await findCaps(tx, accountId);
    const digits = allowedDigits(readPhone(number), caps, 'number');
    if (await awaitsApproval(tx, accountId)) throw approvalRefusal();
    if (caps.isSuspended) throw suspensionRefusal();
    const id = uuidv7(at);
    const funding = await holdForCall(tx, deps, {
      accountId,
      callId: id,
      destination: digits,
      at,
      spendCap: caps,
      slot: slotOf(caps),
    });
    await writeCall(tx, {
      id,
      accountId,
      book: funding.book,
      kind: 'code',
      at,
      order: {
        ramal: '',
        domain: await findDomain(tx, accountId),
        destination: digits,
        callerId: null,
        record: false,
        autoAnswer: false,
        sealedCode: deps.keyRing.seal(codePurpose, code),
        locale: caller.locale,
      },
      extensionId: null,
      userId: caller.userId,
      requestedBy: caller.userId,
      email: caller.email,
      firstName: caller.name,
      lastName: '',
      bina: '',
      metadata: {},
      fundedSeconds: funding.fundedSeconds,
    });
  };
