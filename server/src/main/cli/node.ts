import { Command } from 'commander';
import { addNode, drainNode, listNodes, removeNode } from '../../contexts/telephony/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Json = { json?: boolean };

/** A node that was drained and has no calls left can be stopped. */
const stateOf = ({ state, calls }: { state: string; calls: number }): string =>
  state === 'draining' && calls === 0 ? 'drained' : state;

export function nodeCommands(): Command {
  const node = new Command('node').description('media nodes');

  withJson(node.command('list').description('list the nodes')).action(async (options: Json) => {
    await asOperator(async (operator) => {
      const found = await listNodes(operator);
      const lines = found.map((each) =>
        [
          each.name.padEnd(16),
          each.sipAddress.padEnd(22),
          stateOf(each).padEnd(9),
          (each.isConnected ? 'connected' : 'away').padEnd(10),
          `${each.calls} calls`.padEnd(12),
          each.lastSeenAt ? `seen ${each.lastSeenAt.toISOString()}` : 'never seen',
          each.clockSkewMs === null ? '' : `clock ${each.clockSkewMs} ms`,
        ]
          .join(' ')
          .trimEnd(),
      );
      answer(options, found, lines.join('\n') || 'There are no nodes yet. Add one with: disca node add');
    });
  });

  const named = (name: string, description: string): Command =>
    withJson(node.command(name).description(description).argument('<name>'));
  named('add', 'let a media node connect; its secret is shown once')
    .requiredOption('--address <ip:port>', 'where the edge finds its SIP, on the private side')
    .action(async (name: string, options: Json & { address: string }) => {
      await asOperator(async (operator) => {
        const { secret } = await addNode(operator, { name, sipAddress: options.address });
        answer(options, { name, secret }, `${name} is added. Its secret, shown only now:\n${secret}`);
      });
    });
  named('drain', 'give it no new calls; those it has go on').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await drainNode(operator, name, true);
      answer(options, { name, state: 'draining' }, `${name} gets no new calls.`);
    });
  });
  named('undrain', 'give it calls again').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await drainNode(operator, name, false);
      answer(options, { name, state: 'active' }, `${name} gets calls again.`);
    });
  });
  named('remove', 'forget a node that has no calls').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await removeNode(operator, name);
      answer(options, { name }, `${name} is removed.`);
    });
  });
  return node;
}
