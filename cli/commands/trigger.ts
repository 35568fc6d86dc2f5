import { randomUUID } from 'node:crypto';
import { Argument, Command } from 'commander';
import type { EventType, WebhookTest } from '../../sdk/src/index.ts';
import { eventTypes } from '../event-types.ts';
import { CliFault } from '../fault.ts';
import { forward, forwardedText, isDelivered } from '../forward.ts';
import { answer, sheet, withJson } from '../output.ts';
import { sampleOf } from '../sample.ts';
import { newSecret, secretText, webUrl } from '../secret.ts';
import { type Connection, connect, withConnection } from '../session.ts';

interface TriggerOptions extends Connection {
  forward?: string;
  secret?: string;
  integration?: string;
}

/** A sample for a receiver: from here, without a log-in, or by the service, exactly as it will come. */
export function triggerCommand(): Command {
  return withJson(withConnection(new Command('trigger')))
    .description('send a signed sample of an event to a receiver')
    .addArgument(new Argument('<event>', 'its type').choices(eventTypes))
    .option('--forward <url>', 'send it from here to this address', webUrl)
    .option('--secret <secret>', 'sign with this; a new one is made and told unless given', secretText)
    .option('--integration <id>', 'have the service send it to the webhook of this integration')
    .action(async (type: EventType, options: TriggerOptions) => {
      if (options.integration)
        return tellTest(options, await connect(options).integrations.test(options.integration, type));
      if (!options.forward)
        throw new CliFault(
          'It was not said where to send it.',
          'Add --forward http://localhost:3000/webhooks, or --integration with an id from the console.',
          'BAD_OPTION',
        );
      const secret = options.secret ?? newSecret();
      const payload = sampleOf(type);
      const sent = await forward({ url: options.forward, secret, id: `msg_${randomUUID()}` }, payload);
      const told = options.secret === undefined ? `\nsigned with ${secret}` : '';
      answer(options, { type, secret, ...sent, payload }, `${forwardedText(type, sent)}${told}`);
      if (!isDelivered(sent)) process.exitCode = 1;
    });
}

function tellTest(options: TriggerOptions, test: WebhookTest): void {
  const { outcome, status, durationMs, detail, responseBody, request } = test;
  const text = sheet({
    outcome,
    url: request.url,
    status,
    took: `${durationMs} ms`,
    detail,
    answer: responseBody,
  });
  answer(options, test, text);
  if (outcome !== 'delivered') process.exitCode = 1;
}
