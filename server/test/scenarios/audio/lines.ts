import type { SimulatedPhone } from '../../../../simulator/voice/index.ts';
import { asText } from '../../../../tools/dev/voice/cell.ts';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { assignNumber, freshNumber } from '../../harness/fixtures/dialled-calls.ts';
import { addCustomer, addLine, type Customer, untilRegistered } from '../many-nodes/line.ts';
import { type Transport, transports } from './plan.ts';

/** An extension with a registered softphone and a number that rings it. */
export interface AudioLine {
  customer: Customer;
  id: number;
  ramal: string;
  number: string;
  phone: SimulatedPhone;
  record(isRecorded: boolean): Promise<void>;
}

/** The lines of one slot, which places one call at a time. */
export type Slot = Record<Transport, AudioLine>;

/** Creates slots, alternately of two accounts and at two edges. */
export async function makeSlots(deployment: ManyNodesDeployment, count: number): Promise<Slot[]> {
  const customers = [await addCustomer(deployment), await addCustomer(deployment)];
  const slots: Slot[] = [];
  for (let index = 0; index < count; index += 1) {
    const customer = customers[index % customers.length];
    if (!customer) throw new Error('There is no account.');
    const edge = Math.floor(index / 2) % 2 === 0 ? 1 : 2;
    const lines: [Transport, AudioLine][] = [];
    for (const transport of transports) {
      lines.push([transport, await makeLine(deployment, customer, edge, transport)]);
    }
    slots.push(Object.fromEntries(lines) as Slot);
  }
  await untilRegistered(
    slots.flatMap((slot) => Object.values(slot)),
    deployment,
  );
  return slots;
}

async function makeLine(
  deployment: ManyNodesDeployment,
  customer: Customer,
  edge: 1 | 2,
  transport: Transport,
): Promise<AudioLine> {
  const place = deployment.engines.edges[edge - 1]?.place;
  if (!place) throw new Error(`There is no edge ${edge}.`);
  const address = asText(transport === 'tls' ? place.tls : place.public);
  const line = await addLine(deployment, customer, edge, { transport, edge: address });
  const number = freshNumber();
  await assignNumber({ database: deployment }, customer, number);
  const change = async (body: object): Promise<void> => {
    const { status, json } = await customer.ask('PATCH', '/extensions', { id: line.id, ...body });
    if (status !== 200) throw new Error(`Changing the extension returned ${status} ${JSON.stringify(json)}.`);
  };
  await change({ bina: number });
  return { ...line, number, record: (isRecorded) => change({ gravar_audio: isRecorded ? 1 : 0 }) };
}
