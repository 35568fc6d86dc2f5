import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Charge, Disca } from '../../sdk/src/index.ts';
import { answer, progress, reais, sheet, withJson } from '../output.ts';
import { type Connection, connect, untilStopped, withConnection } from '../session.ts';

interface TopupOptions extends Connection {
  method: 'pix' | 'boleto';
  pay?: boolean;
  wait?: boolean;
  key?: string;
}

const dayMs = 86_400_000;
const lookEveryMs = 3_000;
const longestWaitMs = 30 * 60_000;

function amountOf(text: string): number {
  if (/^\d{1,6}(\.\d{1,2})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('Expected an amount in reais, such as 50 or 49.90.');
}

export function topupCommand(): Command {
  return withJson(withConnection(new Command('topup')))
    .description('buy credit: creates a charge and shows how to pay it')
    .argument('<amount>', 'reais', amountOf)
    .addOption(new Option('--method <method>', 'payment method').choices(['pix', 'boleto']).default('pix'))
    .option('--pay', 'pay immediately with test credit; for accounts in test mode')
    .option('--wait', 'wait until it is paid, for up to half an hour')
    .option('--key <key>', 'idempotency key: makes the command safe to repeat for a day')
    .action(async (amount: number, options: TopupOptions) => {
      const disca = connect(options);
      const charge = await disca.charges.create(
        {
          amount,
          paymentMethod: options.method === 'pix' ? 'PIX' : 'BOLETO',
          dueDate: new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 10),
          description: 'Credit',
        },
        { idempotencyKey: options.key },
      );
      const pix = options.method === 'pix' ? (await disca.charges.pix(charge.id)).code : undefined;
      const how = {
        charge: charge.id,
        amount: reais(charge.amount),
        'pay at': charge.paymentLink,
        ...(pix ? { pix } : {}),
      };
      if (options.pay) await disca.sandbox.pay(charge.id);
      if (!options.pay && !options.wait) return answer(options, { ...charge, pixCode: pix }, sheet(how));
      if (!options.pay) progress(options, `\n${sheet(how)}\nwaiting for the payment`);
      const last = await untilPaid(disca, charge.id, options);
      const { available } = await disca.account.balance();
      answer(options, { ...last, available }, outcomeText(last, available));
      if (!isPaid(last)) process.exitCode = 1;
    });
}

const isPaid = ({ status }: Pick<Charge, 'status'>): boolean =>
  status === 'RECEIVED' || status === 'CONFIRMED';

/** Returns whether a charge can still be paid and credited. */
const isOpen = ({ status }: Pick<Charge, 'status'>): boolean => status === 'PENDING' || status === 'OVERDUE';

function outcomeText(charge: Charge, available: number): string {
  if (isPaid(charge)) return `Paid. The account has ${reais(available)} available.`;
  const state = charge.status.toLowerCase().replaceAll('_', ' ');
  return isOpen(charge)
    ? `Not paid yet: charge ${charge.id} is ${state}. It is credited whenever it is paid.`
    : `Not paid: charge ${charge.id} is ${state}.`;
}

/** Returns the charge when it is paid, can no longer be paid, or the wait ends. */
async function untilPaid(disca: Disca, id: number, options: TopupOptions) {
  const stopped = untilStopped();
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    const charge = await disca.charges.get(id, { signal: stopped });
    if (!isOpen(charge) || Date.now() > deadline) return charge;
    progress(options, charge.status.toLowerCase());
    await sleep(lookEveryMs, undefined, { signal: stopped });
  }
}
