import { figures, tried } from './figures.ts';

export interface Demand {
  phones: number;
  /** Rate at the peak. */
  callsPerSecond: number;
}

/** Defaults that depend on the customers; each is an option of `./dev capacity`. */
export const usualAssumptions = {
  /** Maximum CPU utilisation, so that the load of a lost machine fits on the others and queues stay short. */
  fill: 0.5,
  coresAMachine: 8,
  memoryGigabytesACore: 4,
  /** Share of answered calls, and their average talk time. */
  answeredShare: 0.6,
  talkSeconds: 120,
  recordedShare: 0.5,
  browserShare: 0.2,
  /** The edge grants 300 s; phones refresh after half of it. */
  refreshSeconds: 150,
  pingSeconds: 30,
  webhooksACall: 6,
  /** Calls per day, as hours at the peak rate. */
  busyHoursADay: 6,
  callsKeptDays: 730,
  recordingsKeptDays: 90,
  recordingMegabytesAMinute: 0.6,
  /** Both directions of both legs, each 87.2 kbit/s of G.711 with headers. */
  kilobitsASecondATalk: 4 * 87.2,
  /** Prices per month in any currency. The price of a core includes its memory. */
  priceACore: 12,
  priceATerabyteStored: 20,
  priceATerabyteMoved: 5,
};
export type Assumptions = typeof usualAssumptions;

export interface PartPlan {
  part: string;
  /** Load of the service at the peak. */
  load: string;
  busyCores: number;
  machines: number;
  limitedBy: string;
}

export interface Plan {
  cells: number;
  /** Number of phones in one cell. */
  phones: number;
  callsPerSecond: number;
  talks: number;
  parts: PartPlan[];
  machines: number;
  cores: number;
  memoryGigabytes: number;
  megabitsPerSecond: number;
  /** Call records only, without events, ledger and deliveries. */
  callsTerabytes: number;
  recordingsTerabytes: number;
  /** Price per month of one cell. */
  price: number;
}

const secondsPerHour = 3_600;
const daysPerMonth = 30;

/** Every service of a cell has at least two machines, so that one can be lost. */
const fewest = 2;
/** A database that fails over needs a majority of three. */
const fewestDatabases = 3;

export function planFor(demand: Demand, assumptions: Assumptions = usualAssumptions): Plan {
  const cells = Math.max(
    1,
    Math.ceil(demand.phones / tried.phonesACell),
    Math.ceil(demand.callsPerSecond / tried.callsPerSecondACell),
  );
  const phones = demand.phones / cells;
  const callsPerSecond = demand.callsPerSecond / cells;
  const talks = callsPerSecond * assumptions.answeredShare * assumptions.talkSeconds;
  const parts = planServices({ phones, callsPerSecond }, talks, assumptions);
  const machines = parts.reduce((sum, part) => sum + part.machines, 0);
  const cores = machines * assumptions.coresAMachine;
  const size = { cells, phones, callsPerSecond, talks, parts, machines, cores };
  const memoryGigabytes = cores * assumptions.memoryGigabytesACore;
  const amounts = computeAmounts({ phones, callsPerSecond }, talks, assumptions);
  return { ...size, memoryGigabytes, ...amounts, price: amounts.price + cores * assumptions.priceACore };
}

/** Computes storage and traffic, and their price per month. */
function computeAmounts(demand: Demand, talks: number, a: Assumptions) {
  const talkSecondsPerDay = talks * a.busyHoursADay * secondsPerHour;
  const megabitsPerSecond = (talks * a.kilobitsASecondATalk) / 1_000;
  const movedTerabytes = (talkSecondsPerDay * a.kilobitsASecondATalk * daysPerMonth) / 8 / 1e9;
  const recordedMinutesPerDay = (talkSecondsPerDay * a.recordedShare) / 60;
  const recordingsTerabytes =
    (recordedMinutesPerDay * a.recordingMegabytesAMinute * a.recordingsKeptDays) / 1e6;
  const callsTerabytes = (callsPerDay(demand, a) * figures.databaseRow.value * a.callsKeptDays) / 1e12;
  const price =
    (recordingsTerabytes + callsTerabytes) * a.priceATerabyteStored + movedTerabytes * a.priceATerabyteMoved;
  return { megabitsPerSecond, callsTerabytes, recordingsTerabytes, price };
}

function planServices({ phones, callsPerSecond }: Demand, talks: number, a: Assumptions): PartPlan[] {
  const logins = phones / a.refreshSeconds;
  const pings = phones / a.pingSeconds;
  const webhooks = callsPerSecond * a.webhooksACall;
  const perSecond = (count: number, what: string): string => `${rounded(count)} ${what}/s`;
  const part = (
    name: string,
    load: string,
    msPerSecond: number,
    limitedBy: string,
    atLeast = fewest,
  ): PartPlan => {
    const busyCores = msPerSecond / 1_000;
    const machines = Math.max(atLeast, Math.ceil(busyCores / a.fill / a.coresAMachine));
    return { part: name, load, busyCores, machines, limitedBy };
  };
  const f = (name: keyof typeof figures): number => figures[name].value;
  return [
    part(
      'edge',
      `${perSecond(logins, 'logins')}, ${perSecond(pings, 'pings')}`,
      logins * f('edgeLogin') + pings * f('edgePing') + callsPerSecond * f('edgeCall'),
      'PostgreSQL latency at each login',
    ),
    part(
      'media node',
      `${perSecond(callsPerSecond, 'calls')}, ${rounded(talks)} concurrent calls`,
      callsPerSecond * f('nodeCall') + talks * talkMs(a),
      'CPU time for relaying and transcoding audio',
    ),
    part('api', perSecond(callsPerSecond, 'calls'), callsPerSecond * f('apiCall'), 'one core per process'),
    part(
      'voice',
      perSecond(callsPerSecond, 'calls'),
      callsPerSecond * f('voiceCall'),
      'one core per process',
    ),
    part(
      'worker',
      perSecond(webhooks, 'webhooks'),
      callsPerSecond * f('workerCall') + webhooks * f('workerWebhook'),
      'one core per process',
    ),
    part(
      'PostgreSQL',
      `${perSecond(callsPerSecond, 'calls')}, ${perSecond(logins, 'logins')}`,
      callsPerSecond * f('databaseCall') + logins * f('databaseLogin') + webhooks * f('databaseWebhook'),
      'a single primary for writes; the other machines are its standbys',
      fewestDatabases,
    ),
  ];
}

/** Returns CPU milliseconds per second of talk time, averaged over all calls. */
function talkMs({ recordedShare, browserShare }: Assumptions): number {
  const plain = figures.nodeTalk.value * (1 - recordedShare) + figures.nodeRecorded.value * recordedShare;
  return plain + figures.nodeBrowser.value * browserShare;
}

export const rounded = (value: number): string =>
  (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString('en-US');

export const callsPerDay = ({ callsPerSecond }: Demand, { busyHoursADay }: Assumptions): number =>
  callsPerSecond * busyHoursADay * secondsPerHour;
