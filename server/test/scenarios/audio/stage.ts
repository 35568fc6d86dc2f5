import { join } from 'node:path';
import type { VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { asText, edgeAddresses } from '../../../../tools/dev/voice/cell.ts';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import { type HomeBrowser, startBrowser } from '../../harness/networks/browser.ts';
import { openHomeNetwork } from '../../harness/networks/home-network.ts';
import { startPhonesAtHome } from '../../harness/networks/phones-at-home.ts';
import { chooseCellOn, startRelay } from '../../harness/networks/relay.ts';
import { type Capture, startCapture } from './capture.ts';

/** A deployment with phones of every kind. */
export interface Stage {
  deployment: ManyNodesDeployment;
  /** Softphones behind a router. */
  home?: VoiceSimulator;
  /** A browser behind the same router. */
  browser?: HomeBrowser;
  capture?: Capture;
}

/** Shorter than that of usual routers, and longer than the interval at which the edges keep mappings open. */
const routerForgetsSeconds = 60;
/** The default of production. A phone that disappears is detected after this time. */
const rtpTimeoutSeconds = 15;

/** Starts two of everything on public addresses, a relay, and softphones and a browser behind a router. Requires root. */
export async function openStage(): Promise<Stage & { close(): Promise<void> }> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    const network = await openHomeNetwork(routerForgetsSeconds);
    closing.push(network.close);
    const cell = await chooseCellOn(network);
    const relay = await startRelay(network, cell, 2);
    closing.push(relay.stop);
    const everybody = `${network.network}.0/24`;
    const deployment = await startManyNodes({
      cell,
      networks: { edges: everybody, carriers: everybody },
      rtpTimeoutSeconds,
      settings: {
        EDGE_WEBSOCKET_URLS: [1, 2].map((id) => `wss://${asText(edgeAddresses(cell, id).wss)}/sip`).join(),
        PHONE_SESSION_SECONDS: '86400',
        ...relay.settings,
      },
    });
    closing.push(() => deployment.stop());
    const home = await startPhonesAtHome(network);
    closing.push(() => home.stop('kill'));
    const certificates = deployment.engines.edges.map(({ engine }) => join(engine.dir, 'etc/edge.crt'));
    const browser = await startBrowser(network, ...certificates);
    closing.push(browser.close);
    const capture = await startCapture(network.network, join(deployment.dir, 'packets'));
    closing.push(capture.stop);
    return { deployment, home, browser, capture, close };
  } catch (error) {
    await close();
    throw error;
  }
}
