import { Command } from 'commander';
import { eventTypes, listOfTypes } from '../event-types.ts';
import { forward, forwardedText } from '../forward.ts';
import { printItem, progress, withJson } from '../output.ts';
import { givenSecret, newSecret, type SecretOptions, webUrl, withSecret } from '../secret.ts';
import { type Connection, connect, untilStopped, withConnection } from '../session.ts';

interface ListenOptions extends Connection, SecretOptions {
  forward?: string;
  types: string[];
  after?: string;
}

/** Delivers webhooks to a program that is not reachable from the internet, such as one in development. */
export function listenCommand(): Command {
  return withJson(withConnection(withSecret(new Command('listen'))))
    .description(
      'print events as they happen and, with --forward, send them to a local program as signed webhooks',
    )
    .option('--forward <url>', 'URL to send them to', webUrl)
    .option('--types <types>', 'only these event types, comma-separated', listOfTypes, [...eventTypes])
    .option('--after <number>', 'start after this event number; default: new events only')
    .action(async (options: ListenOptions) => {
      const given = await givenSecret(options);
      const secret = given ?? newSecret();
      if (options.forward && given === undefined) printSecret(options, options.forward, secret);
      const stream = connect(options).events.stream({
        after: options.after === undefined ? undefined : Number(options.after),
        signal: untilStopped(),
        onOpen: () => progress(options, 'listening; press Ctrl-C to stop'),
        onReconnect: () => progress(options, 'connection lost; reconnecting'),
      });
      for await (const event of stream) {
        if (!options.types.includes(event.type)) continue;
        if (!options.forward)
          printItem(options, event, `${event.sequence}  ${event.type}  ${JSON.stringify(event.data)}`);
        else {
          const sent = await forward({ url: options.forward, secret, id: event.id }, event.data);
          printItem(
            options,
            { sequence: event.sequence, type: event.type, ...sent },
            forwardedText(event.type, sent),
          );
        }
      }
    });
}

function printSecret(options: ListenOptions, url: string, secret: string): void {
  printItem(options, { forward: url, secret }, `Forwarding to ${url}, signed with ${secret}`);
}
