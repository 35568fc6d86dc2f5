import { figures, tried } from './figures.ts';

export interface Demand {
  phones: number;
  /** At the busiest moment. */
  callsPerSecond: number;
}

/** What nobody can measure for others: change it to what your customers do. */
export const usualAssumptions = {
  /** How full a core may be, so that a lost machine's work fits on the others and queues stay short. */
  fill: 0.5,
  coresAMachine: 8,
  memoryGigabytesACore: 4,
  /** Of all calls, how many are answered, and for how long these talk. */
  answeredShare: 0.6,
  talkSeconds: 120,
  recordedShare: 0.5,
  browserShare: 0.2,
  /** The edge grants 300 s; phones come back after half of it. */
  refreshSeconds: 150,
  pingSeconds: 30,
  webhooksACall: 6,
  /** A day has as many calls as this many hours at the busiest rate. */
  busyHoursADay: 6,
  callsKeptDays: 730,
  recordingsKeptDays: 90,
  recordingMegabytesAMinute: 0.6,
  /** Both directions of both legs, each 87.2 kbit/s of G.711 with its headers. */
  kilobitsASecondATalk: 4 * 87.2,
  /** What a month costs, in whatever money; a core with its memory. */
  priceACore: 12,
  priceATerabyteStored: 20,
  priceATerabyteMoved: 5,
};
export type Assumptions = typeof usualAssumptions;

export interface PartPlan {
  part: string;
  /** What it does at the busiest moment. */
  load: string;
  busyCores: number;
  machines: number;
  limitedBy: string;
}

export interface Plan {
  cells: number;
  /** Of one cell. */
  phones: number;
  callsPerSecond: number;
  talks: number;
  parts: PartPlan[];
  machines: number;
  cores: number;
  memoryGigabytes: number;
  megabitsPerSecond: number;
  /** The list of calls alone; events, ledger and deliveries come on top. */
  callsTerabytes: number;
  recordingsTerabytes: number;
  /** A month of one cell. */
  price: number;
}

const secondsAnHour = 3_600;
const daysAMonth = 30;

/** Everything of a cell is there twice, so that any one of it may be lost. */
const fewest = 2;

export function planFor(demand: Demand, assumptions: Assumptions = usualAssumptions): Plan {
  const cells = Math.max(
    1,
    Math.ceil(demand.phones / tried.phonesACell),
    Math.ceil(demand.callsPerSecond / tried.callsPerSecondACell),
  );
  const phones = demand.phones / cells;
  const callsPerSecond = demand.callsPerSecond / cells;
  const talks = callsPerSecond * assumptions.answeredShare * assumptions.talkSeconds;
  const parts = partsOf({ phones, callsPerSecond }, talks, assumptions);
  const machines = parts.reduce((sum, part) => sum + part.machines, 0);
  const cores = machines * assumptions.coresAMachine;
  const size = { cells, phones, callsPerSecond, talks, parts, machines, cores };
  const memoryGigabytes = cores * assumptions.memoryGigabytesACore;
  const amounts = amountsOf({ phones, callsPerSecond }, talks, assumptions);
  return { ...size, memoryGigabytes, ...amounts, price: amounts.price + cores * assumptions.priceACore };
}

/** What is kept and moved, and what that costs in a month. */
function amountsOf(demand: Demand, talks: number, a: Assumptions) {
  const talkSecondsADay = talks * a.busyHoursADay * secondsAnHour;
  const megabitsPerSecond = (talks * a.kilobitsASecondATalk) / 1_000;
  const movedTerabytes = (talkSecondsADay * a.kilobitsASecondATalk * daysAMonth) / 8 / 1e9;
  const recordedMinutesADay = (talkSecondsADay * a.recordedShare) / 60;
  const recordingsTerabytes =
    (recordedMinutesADay * a.recordingMegabytesAMinute * a.recordingsKeptDays) / 1e6;
  const callsTerabytes = (callsADay(demand, a) * figures.databaseRow.value * a.callsKeptDays) / 1e12;
  const price =
    (recordingsTerabytes + callsTerabytes) * a.priceATerabyteStored + movedTerabytes * a.priceATerabyteMoved;
  return { megabitsPerSecond, callsTerabytes, recordingsTerabytes, price };
}

function partsOf({ phones, callsPerSecond }: Demand, talks: number, a: Assumptions): PartPlan[] {
  const logins = phones / a.refreshSeconds;
  const pings = phones / a.pingSeconds;
  const webhooks = callsPerSecond * a.webhooksACall;
  const perSecond = (count: number, what: string): string => `${rounded(count)} ${what}/s`;
  const part = (name: string, load: string, msPerSecond: number, limitedBy: string): PartPlan => {
    const busyCores = msPerSecond / 1_000;
    const machines = Math.max(fewest, Math.ceil(busyCores / a.fill / a.coresAMachine));
    return { part: name, load, busyCores, machines, limitedBy };
  };
  const f = (name: keyof typeof figures): number => figures[name].value;
  return [
    part(
      'edge',
      `${perSecond(logins, 'logins')}, ${perSecond(pings, 'pings')}`,
      logins * f('edgeLogin') + pings * f('edgePing') + callsPerSecond * f('edgeCall'),
      'waiting for PostgreSQL at each login',
    ),
    part(
      'media node',
      `${perSecond(callsPerSecond, 'calls')}, ${rounded(talks)} talk`,
      callsPerSecond * f('nodeCall') + talks * talkMs(a),
      'processor time of relayed and encoded audio',
    ),
    part('api', perSecond(callsPerSecond, 'calls'), callsPerSecond * f('apiCall'), 'one core a process'),
    part('voice', perSecond(callsPerSecond, 'calls'), callsPerSecond * f('voiceCall'), 'one core a process'),
    part(
      'worker',
      perSecond(webhooks, 'webhooks'),
      callsPerSecond * f('workerCall') + webhooks * f('workerWebhook'),
      'one core a process',
    ),
    part(
      'PostgreSQL',
      `${perSecond(callsPerSecond, 'calls')}, ${perSecond(logins, 'logins')}`,
      callsPerSecond * f('databaseCall') + logins * f('databaseLogin') + webhooks * f('databaseWebhook'),
      'one primary writes; the second machine is its replica',
    ),
  ];
}

/** Milliseconds a second of a talk, as most are. */
function talkMs({ recordedShare, browserShare }: Assumptions): number {
  const plain = figures.nodeTalk.value * (1 - recordedShare) + figures.nodeRecorded.value * recordedShare;
  return plain + figures.nodeBrowser.value * browserShare;
}

export const rounded = (value: number): string =>
  (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString('en-US');

export const callsADay = ({ callsPerSecond }: Demand, { busyHoursADay }: Assumptions): number =>
  callsPerSecond * busyHoursADay * secondsAnHour;
