import { randomUUID } from 'node:crypto';
import { Argument, Command } from 'commander';
import type { EventType, WebhookTest } from '../../sdk/src/index.ts';
import { CliError } from '../cli-error.ts';
import { eventTypes } from '../event-types.ts';
import { forward, forwardedText, isDelivered } from '../forward.ts';
import { answer, sheet, withJson } from '../output.ts';
import { sampleOf } from '../sample.ts';
import { givenSecret, newSecret, type SecretOptions, webUrl, withSecret } from '../secret.ts';
import { type Connection, connect, withConnection } from '../session.ts';

interface TriggerOptions extends Connection, SecretOptions {
  forward?: string;
  integration?: string;
}

/** Sends a sample event to a receiver: from this machine without a login, or from the service like a real event. */
export function triggerCommand(): Command {
  return withJson(withConnection(withSecret(new Command('trigger'))))
    .description('send a signed sample of an event to a receiver')
    .addArgument(new Argument('<event>', 'event type').choices(eventTypes))
    .option('--forward <url>', 'send it from this machine to this URL', webUrl)
    .option('--integration <id>', 'let the service send it to the webhook of this integration')
    .action(async (type: EventType, options: TriggerOptions) => {
      if (options.integration)
        return printTest(options, await connect(options).integrations.test(options.integration, type));
      if (!options.forward)
        throw new CliError(
          'No destination given.',
          'Add --forward http://localhost:3000/webhooks, or --integration with an id from the console.',
          'BAD_OPTION',
        );
      const given = await givenSecret(options);
      const secret = given ?? newSecret();
      const payload = sampleOf(type);
      const sent = await forward({ url: options.forward, secret, id: `msg_${randomUUID()}` }, payload);
      const made = given === undefined ? { secret } : {};
      const secretLine = given === undefined ? `\nsigned with ${secret}` : '';
      answer(options, { type, ...made, ...sent, payload }, `${forwardedText(type, sent)}${secretLine}`);
      if (!isDelivered(sent)) process.exitCode = 1;
    });
}

function printTest(options: TriggerOptions, test: WebhookTest): void {
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
