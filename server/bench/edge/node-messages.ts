import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningAsterisk } from '../../../tools/dev/services/asterisk.ts';

export interface Seen {
  received: number;
  /** First lines of messages that belong to no call originated by the node. */
  unexpected: string[];
}

const maxUnexpected = 10;

/** Logs every SIP message of the media node; in this benchmark it originates all calls. */
export async function watchNode(node: RunningAsterisk): Promise<() => Seen> {
  change(join(node.dir, 'etc/pjsip.conf'), /^\[global\]$/m, '[global]\ndebug = yes');
  change(join(node.dir, 'etc/logger.conf'), /^messages => .*$/m, '$&\nsip => verbose');
  appendFileSync(join(node.dir, 'etc/modules.conf'), '\nload = res_pjsip_logger.so\n');
  await node.restart('kill');
  return () => judge(readFileSync(join(node.dir, 'log/sip'), 'latin1'), node);
}

function judge(log: string, node: RunningAsterisk): Seen {
  const messages = log.split(/<--- (?=Received SIP|Transmitting SIP)/).slice(1);
  const own = new Set<string>();
  for (const text of messages)
    if (text.startsWith('Transmitting SIP request') && text.includes('\nINVITE ')) own.add(readCallId(text));
  const received = messages.filter((text) => text.startsWith('Received'));
  const unexpected = received
    .filter((text) => !own.has(readCallId(text)))
    .map((text) => text.split('\n').slice(0, 2).join(' ').trim());
  const complaints = readFileSync(join(node.dir, 'log/messages'), 'latin1').match(/^.*Error processing.*$/gm);
  return {
    received: received.length,
    unexpected: [...unexpected, ...(complaints ?? [])].slice(0, maxUnexpected),
  };
}

const readCallId = (text: string): string => /^(?:call-id|i)\s*:\s*(.*?)\s*$/im.exec(text)?.[1] ?? '';

function change(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${file} has no line like ${from}.`);
  writeFileSync(file, changed);
}
