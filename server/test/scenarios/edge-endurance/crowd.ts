import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerChallenge } from '../../harness/edge/sip-client.ts';
import { parseMessage, statusOf } from '../../harness/edge/sip-message.ts';
import { type Address, openUdp, type Transport } from '../../harness/edge/sip-transport.ts';
import type { CrowdPhone } from './crowd-rows.ts';
import { openReconnecting } from './reconnecting.ts';

export interface Storm {
  phones: number;
  /** Number of phones that never got a 200. */
  failed: number;
  /** Registrations restarted because a request got no response before its transaction ended. */
  restarted: number;
  /** Time until the last phone was registered. */
  lastMs: number;
  /** Time from the start until each phone was registered. */
  tookMs: number[];
  retransmissions: number;
  /** Rejections other than challenges, by status. */
  refusals: Map<number, number>;
}

/** Many phones in one process, each with its own socket. */
export interface Crowd {
  /** Registers all at the same time, or one after the other at a constant rate. */
  registerAtOnce(perSecond?: number): Promise<Storm>;
  close(): Promise<void>;
}

// The timers of RFC 3261 over UDP: T1, T2, and the end of a transaction (64 times T1).
const t1Ms = 500;
const t2Ms = 4_000;
const transactionMs = 32_000;
/**
 * Time limit for all registrations. A phone without a response starts again, and one whose connection is lost opens
 * another.
 */
const allMs = 120_000;
const refusedMs = 1_000;
const openedAtOnce = 500;

export async function openCrowd(
  edge: Address,
  phones: CrowdPhone[],
  transport: 'udp' | 'tcp' = 'udp',
): Promise<Crowd> {
  const members: Member[] = [];
  for (let from = 0; from < phones.length; from += openedAtOnce) {
    const some = phones.slice(from, from + openedAtOnce);
    members.push(...(await Promise.all(some.map((phone) => openMember(edge, phone, transport)))));
  }
  return {
    async registerAtOnce(perSecond = Number.POSITIVE_INFINITY) {
      const startedAt = performance.now();
      const storm: Storm = {
        phones: members.length,
        failed: 0,
        restarted: 0,
        lastMs: 0,
        tookMs: [],
        retransmissions: 0,
        refusals: new Map(),
      };
      await Promise.all(
        members.map(async (member, index) => {
          if (Number.isFinite(perSecond)) await sleep((index * 1000) / perSecond);
          const isBack = await register(member, storm);
          if (!isBack) storm.failed += 1;
          else storm.tookMs.push(performance.now() - startedAt);
        }),
      );
      storm.lastMs = performance.now() - startedAt;
      return storm;
    },
    async close() {
      await Promise.all(members.map(({ link }) => link.close()));
    },
  };
}

interface Member {
  phone: CrowdPhone;
  link: Transport;
  callId: string;
  sequence: number;
  /** Receives the response to the open request; called without text when the connection was reopened. */
  onText?: ((text?: string) => void) | undefined;
}

async function openMember(edge: Address, phone: CrowdPhone, transport: 'udp' | 'tcp'): Promise<Member> {
  const hear = (text?: string): void => {
    if (text === undefined || text.startsWith('SIP/2.0 ')) member.onText?.(text);
  };
  const open = transport === 'udp' ? openUdp : openReconnecting;
  const member: Member = {
    phone,
    link: await open(edge, { address: phone.address }, hear),
    callId: randomBytes(8).toString('hex'),
    sequence: 0,
  };
  return member;
}

/**
 * Registers once: sends a request, receives a challenge and repeats the request with credentials. Temporary rejections
 * are retried.
 */
async function register(member: Member, storm: Storm): Promise<boolean> {
  const deadline = performance.now() + allMs;
  let credentials = '';
  while (performance.now() < deadline) {
    const text = await transact(member, buildRegister(member, credentials), storm);
    if (text === undefined && member.link.protocol === 'UDP') storm.restarted += 1;
    const answer = parseMessage(text ?? '');
    const status = statusOf(answer);
    if (status === 200) return true;
    if (status === 401) {
      const startLine = `REGISTER sip:${member.phone.domain} SIP/2.0`;
      credentials = `${answerChallenge(member.phone, startLine, answer).join(': ')}\r\n`;
    } else credentials = '';
    if (status > 0 && status !== 401) {
      storm.refusals.set(status, (storm.refusals.get(status) ?? 0) + 1);
      await sleep(refusedMs);
    }
  }
  return false;
}

function transact(member: Member, request: string, storm: Storm): Promise<string | undefined> {
  const sequence = `CSeq: ${member.sequence} `;
  return new Promise((resolve) => {
    let waitMs = t1Ms;
    let again: NodeJS.Timeout | undefined;
    const settle = (text?: string): void => {
      // A retransmitted request gets two responses.
      if (text !== undefined && !text.includes(sequence)) return;
      clearTimeout(again);
      clearTimeout(end);
      member.onText = undefined;
      resolve(text);
    };
    const end = setTimeout(settle, transactionMs);
    const sendAgain = (): void => {
      storm.retransmissions += 1;
      member.link.send(request);
      waitMs = Math.min(waitMs * 2, t2Ms);
      again = setTimeout(sendAgain, waitMs);
    };
    member.onText = settle;
    member.link.send(request);
    if (member.link.protocol === 'UDP') again = setTimeout(sendAgain, waitMs);
  });
}

function buildRegister(member: Member, credentials: string): string {
  const { ramal, domain } = member.phone;
  const { protocol, local } = member.link;
  const place = `${local.address}:${local.port}`;
  member.sequence += 1;
  return `REGISTER sip:${domain} SIP/2.0\r
Via: SIP/2.0/${protocol} ${place};rport;branch=z9hG4bK${member.callId}${member.sequence}\r
Max-Forwards: 70\r
From: <sip:${ramal}@${domain}>;tag=${member.callId}\r
To: <sip:${ramal}@${domain}>\r
Call-ID: ${member.callId}\r
CSeq: ${member.sequence} REGISTER\r
Contact: <sip:${ramal}@${place};transport=${protocol.toLowerCase()}>\r
User-Agent: Crowd 1.0\r
Expires: 300\r
${credentials}Content-Length: 0\r
\r
`;
}
