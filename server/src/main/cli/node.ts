import { Command } from 'commander';
import { addNode, drainNode, listNodes, removeNode } from '../../contexts/telephony/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Json = { json?: boolean };

/** Returns the state to show. A drained node without calls can be stopped. */
const stateOf = ({ state, calls }: { state: string; calls: number }): string =>
  state === 'draining' && calls === 0 ? 'drained' : state;

export function nodeCommands(): Command {
  const node = new Command('node').description('media nodes');

  withJson(node.command('list').description('list the nodes')).action(async (options: Json) => {
    await asOperator(async (operator) => {
      const nodes = await listNodes(operator);
      const lines = nodes.map((each) =>
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
      answer(options, nodes, lines.join('\n') || 'No media nodes yet. Add one with: disca node add');
    });
  });

  const named = (name: string, description: string): Command =>
    withJson(node.command(name).description(description).argument('<name>'));
  named('add', 'add a media node; its secret is shown once')
    .requiredOption('--address <ip:port>', 'private SIP address of the node, as the edge reaches it')
    .action(async (name: string, options: Json & { address: string }) => {
      await asOperator(async (operator) => {
        const { secret } = await addNode(operator, { name, sipAddress: options.address });
        answer(options, { name, secret }, `${name} is added. Its secret, shown only now:\n${secret}`);
      });
    });
  named('drain', 'stop sending new calls to a node; its current calls continue').action(
    async (name: string, options: Json) => {
      await asOperator(async (operator) => {
        await drainNode(operator, name, true);
        answer(options, { name, state: 'draining' }, `${name} receives no new calls.`);
      });
    },
  );
  named('undrain', 'send calls to a drained node again').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await drainNode(operator, name, false);
      answer(options, { name, state: 'active' }, `${name} receives calls again.`);
    });
  });
  named('remove', 'remove a node that has no calls').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await removeNode(operator, name);
      answer(options, { name }, `${name} is removed.`);
    });
  });
  return node;
}
