import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { politeThenKill } from '../../../tools/dev/process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../../../tools/dev/process-records.ts';
import { capture } from '../../../tools/dev/run-command.ts';
import { startService } from '../../../tools/dev/services/service.ts';
import { asText, type SipAddress } from '../../../tools/dev/voice/cell.ts';
import type { BenchLine } from './lines.ts';
import type { CallPlatform } from './platform.ts';

const talkMs = 1_500;
const registrationsPerSecond = 50;
const maxConcurrentCalls = 5_000;
/** A SIPp party that receives no message for this long abandons its call. */
const silenceMs = 20_000;

const contact = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>';
const echoed = `[last_Via:]
[last_Record-Route:]
[last_From:]
[last_To:];tag=[pid]u[call_number]
[last_Call-ID:]
[last_CSeq:]`;

/** SIPp scenario that rings and answers immediately. */
const answers = `
<recv request="INVITE" crlf="true" rrs="true"/>
<send><![CDATA[
SIP/2.0 180 Ringing
${echoed}
${contact}
Content-Length: 0

]]></send>
<send retrans="500"><![CDATA[
SIP/2.0 200 OK
${echoed}
${contact}
Content-Type: application/sdp
Content-Length: [len]

v=0
o=party 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 8 101
a=rtpmap:8 PCMA/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
a=sendrecv

]]></send>`;

const phone = `${answers}
<recv request="ACK"/>
<recv request="BYE"/>
<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>`;

const carrier = `${answers}
<recv request="ACK" crlf="true"><action>
<ereg regexp=".*" search_in="hdr" header="From" assign_to="8"/>
<ereg regexp=".*" search_in="hdr" header="To" assign_to="9"/>
</action></recv>
<pause milliseconds="${talkMs}"/>
<send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
[routes]
Max-Forwards: 70
From[$9]
To[$8]
[last_Call-ID:]
CSeq: 1 BYE
Content-Length: 0

]]></send>
<recv response="200"/>`;

const registerRequest = (cseq: number, authentication = '') => `<send retrans="500"><![CDATA[
REGISTER sip:[field1] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
Max-Forwards: 70
From: <sip:[field0]@[field1]>;tag=[call_number]-[pid]
To: <sip:[field0]@[field1]>
Call-ID: [call_id]
CSeq: ${cseq} REGISTER
Contact: <sip:[field0]@[local_ip]:[local_port]>
Expires: 300
${authentication}Content-Length: 0

]]></send>`;

const registration = `${registerRequest(1)}
<recv response="401" auth="true"/>
${registerRequest(2, '[field2]\n')}
<recv response="200"/>`;

const buildScenario = (name: string, steps: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="${name}">\n${steps.trim()}\n</scenario>\n`;

const placeArgs = ({ address, port }: SipAddress): string[] => [
  ...['-i', address, '-bind_local', '-mi', address, '-p', String(port)],
  ...['-nostdin', '-f', '600', '-l', String(maxConcurrentCalls)],
];

/**
 * Registers all phones from one SIPp. The edge calls a phone at its registration address, so it registers from the port
 * on which it answers.
 */
export async function registerPhones(
  dir: string,
  place: SipAddress,
  edge: SipAddress,
  lines: BenchLine[],
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'register.xml'), buildScenario('register', registration));
  const rows = lines.map(
    ({ ramal, domain, senha }) => `${ramal};${domain};[authentication username=${ramal} password=${senha}]`,
  );
  writeFileSync(join(dir, 'phones.csv'), `SEQUENTIAL\n${rows.join('\n')}\n`);
  const { exitCode, output } = await capture(
    'sipp',
    [
      ...['-sf', 'register.xml', '-inf', 'phones.csv', ...placeArgs(place)],
      ...['-m', String(lines.length), '-r', String(registrationsPerSecond), '-recv_timeout', '5000'],
      asText(edge),
    ],
    { cwd: dir },
  );
  if (exitCode !== 0) throw new Error(`Some phones could not register:\n${output.slice(-2_000)}`);
}

export interface Party {
  pid: number;
  stop(): Promise<void>;
}

export type PartyKind = 'phones' | 'carrier';

/** The SIP messages of a traced party, with their times. */
export const messageFile = (dir: string, kind: PartyKind): string => join(dir, `${kind}.messages`);

/** Starts a SIPp party. Phones wait for the other side to hang up; the carrier hangs up after 1.5 seconds. */
export async function startParty(
  kind: PartyKind,
  { name, dir, traced }: Pick<CallPlatform, 'name' | 'dir' | 'traced'>,
  place: SipAddress,
): Promise<Party> {
  mkdirSync(dir, { recursive: true });
  const file = `${kind}.xml`;
  writeFileSync(join(dir, file), buildScenario(kind, kind === 'phones' ? phone : carrier));
  const entry: ProcessRecord = await startService({
    name: `bench-${name}-${kind}`,
    command: 'sipp',
    args: [
      '-sf',
      file,
      ...placeArgs(place),
      '-aa',
      '-recv_timeout',
      String(silenceMs),
      '-deadcall_wait',
      '0',
      ...(traced ? ['-trace_msg', '-message_file', messageFile(dir, kind)] : []),
    ],
    commandIncludes: file,
    logFile: join(dir, `${kind}.log`),
    cwd: dir,
    ending: politeThenKill,
    outlives: false,
    isReady: () => isTaken(place),
  });
  return { pid: entry.process.pid, stop: () => endAndRemove(entry, [{ signal: 'SIGKILL', waitMs: 5_000 }]) };
}

/** Reads the kernel's list: a test by binding could take the address just when SIPp needs it. */
async function isTaken({ address, port }: SipAddress): Promise<boolean> {
  const bytes = address.split('.').toReversed().map(Number);
  const hex = Buffer.from(bytes).toString('hex').toUpperCase();
  const local = `${hex}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return (await readFile('/proc/net/udp', 'utf8')).includes(` ${local} `);
}
