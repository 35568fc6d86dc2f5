import { firstWord } from '../../../../simulator/voice/tones.ts';
import { asText } from '../../../../tools/dev/voice/cell.ts';
import { browserPhone } from '../../harness/networks/browser-phone.ts';
import type { addExtension, Customer } from '../many-nodes/line.ts';
import { pagePhone } from './page-phone.ts';
import type { AudioPhone } from './phone.ts';
import type { BrowserKind, Kind, Softphone } from './plan.ts';
import { audioPhone } from './softphone.ts';
import type { Stage } from './stage.ts';

type Extension = Awaited<ReturnType<typeof addExtension>>;

const consoleOrigin = 'https://console.disca.localhost';

/** Adds a phone of this kind to the extension, which registers at the edge. */
export const addPhone = (
  stage: Stage,
  customer: Customer,
  extension: Extension,
  edge: 1 | 2,
  kind: Kind,
): Promise<AudioPhone> =>
  kind === 'browser' || kind === 'relay'
    ? addPage(stage, customer, extension, edge, kind)
    : addSoftphone(stage, customer, extension, edge, kind);

async function addSoftphone(
  { deployment, home }: Stage,
  { domain }: Customer,
  { ramal, senha }: Extension,
  edge: 1 | 2,
  kind: Softphone,
): Promise<AudioPhone> {
  const place = deployment.engines.edges[edge - 1]?.place;
  const simulator = kind === 'nat' ? home : deployment.engines.simulator;
  if (!place || !simulator) throw new Error(`There is no edge ${edge}, or no simulator of ${kind} phones.`);
  const phone = await simulator.addPhone({
    ramal,
    domain,
    password: senha,
    transport: kind === 'nat' ? 'udp' : kind,
    edge: asText(kind === 'tls' ? place.tls : place.public),
    behaviour: 'silent',
  });
  return audioPhone(simulator, phone);
}

/** Opens a page and a phone session, as the console does. */
async function addPage(
  { deployment, browser }: Stage,
  customer: Customer,
  { id }: Extension,
  edge: 1 | 2,
  kind: BrowserKind,
): Promise<AudioPhone> {
  if (!browser) throw new Error('There is no browser.');
  const { status, json } = await customer.ask('POST', `/extensions/${id}/phone-sessions`);
  if (status !== 200) throw new Error(`Opening a phone session returned ${status} ${JSON.stringify(json)}.`);
  const phone = browserPhone(await browser.openPage(consoleOrigin));
  await phone.logIn({
    url: json.websocket_urls[edge - 1],
    uri: json.uri,
    user: json.username,
    password: json.password,
    expiresSeconds: json.registration_seconds,
    iceServers: kind === 'relay' ? json.ice_servers : [],
    relayOnly: kind === 'relay',
  });
  await phone.when('registered');
  // Opens the audio devices, so that this does not delay the first call.
  await phone.prepare({ firstWord, hertz: firstWord.hertz });
  return pagePhone(phone, customer.domain, deployment.dir);
}
