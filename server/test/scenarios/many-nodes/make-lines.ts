import { addCustomer, addLine, type Customer, type Line, type Served, untilRegistered } from './line.ts';
import { talkSeconds } from './rolling-faults.ts';

export const webhookTypes = ['channel-create', 'channel-answer', 'channel-hangup', 'call-priced'];

const customers = 2;
const linesEach = 10;

/**
 * Creates softphones at both edges that answer immediately and hang up, with webhooks for all events. If their calls are
 * recorded, they also talk.
 */
export async function makeLines(
  deployment: Served,
  webhookUrl: string,
  { areRecorded = false } = {},
): Promise<{ created: Customer[]; lines: Line[] }> {
  const created: Customer[] = [];
  const lines: Line[] = [];
  for (let number = 0; number < customers; number += 1) {
    const customer = await addCustomer(deployment);
    created.push(customer);
    const { status } = await customer.ask('PATCH', '/integrations', {
      gateway: 'crm',
      webhook: true,
      webhookConstraint: {},
      metadata: { webhookUrl, webhookTypes },
    });
    if (status !== 200) throw new Error(`Creating the integration returned ${status}.`);
    for (let line = 0; line < linesEach; line += 1) {
      const edge = line % 2 === 0 ? 1 : 2;
      const behaviour = areRecorded ? 'answer' : 'silent';
      const phone = { behaviour, hangUpAfterSeconds: talkSeconds } as const;
      lines.push(await addLine(deployment, customer, edge, phone, areRecorded));
    }
  }
  await untilRegistered(lines, deployment);
  return { created, lines };
}
