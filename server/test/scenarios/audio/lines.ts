import { assignNumber, freshNumber } from '../../harness/fixtures/dialled-calls.ts';
import { addCustomer, addExtension, type Customer, untilRegistered } from '../many-nodes/line.ts';
import { addPhone } from './add-phone.ts';
import type { AudioPhone } from './phone.ts';
import { kinds as allKinds, isBrowser, type Kind, kindsOf, type PlannedCall } from './plan.ts';
import type { Stage } from './stage.ts';

/** An extension with a registered phone and a number that rings it. */
export interface AudioLine {
  customer: Customer;
  id: number;
  ramal: string;
  number: string;
  phone: AudioPhone;
  record(isRecorded: boolean): Promise<void>;
}

/** The lines of one slot, which places one call at a time. */
export type Slot = Partial<Record<Kind, AudioLine>>;

export const canPlace = (slot: Slot, planned: PlannedCall): boolean =>
  kindsOf(planned).every((kind) => slot[kind] !== undefined);

/** One of so many slots has browsers, because they need a multiple of a softphone's processor time. */
const slotsPerBrowser = 3;

/** Creates slots, alternately of two accounts and at two edges. */
export async function makeSlots(
  stage: Stage,
  count: number,
  kinds: readonly Kind[] = allKinds,
): Promise<Slot[]> {
  const { deployment } = stage;
  const customers = [await addCustomer(deployment), await addCustomer(deployment)];
  const slots: Slot[] = [];
  for (let index = 0; index < count; index += 1) {
    const customer = customers[index % customers.length];
    if (!customer) throw new Error('There is no account.');
    const edge = Math.floor(index / 2) % 2 === 0 ? 1 : 2;
    const slot: Slot = {};
    const own = kinds.filter((kind) => index % slotsPerBrowser === 0 || !isBrowser(kind));
    for (const kind of own) slot[kind] = await makeLine(stage, customer, edge, kind);
    slots.push(slot);
  }
  await untilRegistered(
    slots.flatMap((slot) => Object.values(slot)),
    deployment,
  );
  return slots;
}

async function makeLine(stage: Stage, customer: Customer, edge: 1 | 2, kind: Kind): Promise<AudioLine> {
  const extension = await addExtension(customer);
  const phone = await addPhone(stage, customer, extension, edge, kind);
  const number = freshNumber();
  await assignNumber({ database: stage.deployment }, customer, number);
  const change = async (body: object): Promise<void> => {
    const { status, json } = await customer.ask('PATCH', '/extensions', { id: extension.id, ...body });
    if (status !== 200) throw new Error(`Changing the extension returned ${status} ${JSON.stringify(json)}.`);
  };
  await change({ bina: number });
  const { id, ramal } = extension;
  return {
    customer,
    id,
    ramal,
    number,
    phone,
    record: (isRecorded) => change({ gravar_audio: isRecorded ? 1 : 0 }),
  };
}
