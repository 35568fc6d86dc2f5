import { connect } from 'node:tls';
import { checkAsaasKey } from '../../../adapters/payments/asaas/check-key.ts';
import { type Check, type Finding, fault, messageOf, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const answerMs = 5_000;
const dayMs = 24 * 3600 * 1000;
const soonDays = 14;
const urgentDays = 3;

export const checkPayments = (settings: Settings): Check => ({
  part: 'payments',
  otherwise:
    'See that ASAAS_URL and ASAAS_API_KEY belong together and that this machine reaches the gateway. Until then live accounts cannot top up.',
  async look() {
    const { ASAAS_URL: url = '', ASAAS_API_KEY: key, ASAAS_WEBHOOK_TOKEN: token } = settings;
    if (!key && !token) {
      return warning(
        'payments',
        'there is no payment gateway: test accounts can top up, live ones cannot',
        'Set ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN before the first live account.',
      );
    }
    if (!key || !token)
      return fault('payments', 'ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN go together', 'Set both, or neither.');
    await checkAsaasKey(url, key);
    return ok('payments', 'the gateway takes our key');
  },
});

export const checkPublicUrl = ({ PUBLIC_URL: url }: Settings, ca?: string): Check => ({
  part: 'public address',
  otherwise:
    'See that the name of PUBLIC_URL leads to your balancer and that an api process runs behind it. Links in mails lead there.',
  async look() {
    if (!url) throw new Error('PUBLIC_URL cannot be read');
    const answer = await fetch(`${url.replace(/\/$/, '')}/api/v1/openapi.json`, {
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await answer.text();
    if (!answer.ok || !text.includes('"openapi"')) {
      return fault(
        'public address',
        `${url} answers ${answer.status}, and not as our API`,
        'See that PUBLIC_URL leads to the api and not to something else.',
      );
    }
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !/^(127\.|localhost$|\[::1\])/.test(hostname) && ca === undefined) {
      return warning(
        'public address',
        `${url} is not encrypted: passwords and tokens are sent in the clear`,
        'Put a certificate in front of it, and write https in PUBLIC_URL.',
      );
    }
    return ok('public address', `${url} answers as our API`);
  },
});

/** Of whatever the outside reaches by TLS. */
export const checkCertificates = (settings: Settings, now: () => number, ca?: string): Check => ({
  part: 'certificates',
  otherwise: 'See that the address is right.',
  async look() {
    const { PUBLIC_URL, CONSOLE_URL, EDGE_WEBSOCKET_URLS = [], TURN_URLS = [] } = settings;
    const places = [PUBLIC_URL, CONSOLE_URL, ...EDGE_WEBSOCKET_URLS]
      .filter((url) => url !== undefined && /^(https|wss):/.test(url))
      .map((url) => new URL(url as string))
      .map(({ hostname, port }) => `${hostname}:${port || 443}`);
    const relays = TURN_URLS.filter((url) => url.startsWith('turns:')).map((url) =>
      url.replace(/^turns:/, '').replace(/\?.*$/, ''),
    );
    const all = [...new Set([...places, ...relays])];
    if (all.length === 0) return ok('certificates', 'nothing of ours is reached by TLS');
    return await Promise.all(all.map((place) => judgeCertificate(place, now(), ca)));
  },
});

async function judgeCertificate(place: string, nowMs: number, ca: string | undefined): Promise<Finding> {
  const part = 'certificates';
  const renew = 'Renew the certificate there, and see why it was not renewed by itself.';
  try {
    const { expiresAt, distrust } = await readCertificate(place, ca);
    const days = Math.floor((expiresAt.getTime() - nowMs) / dayMs);
    const until = expiresAt.toISOString().slice(0, 10);
    if (days < 0) return fault(part, `that of ${place} has expired on ${until}`, renew);
    if (distrust) {
      return fault(
        part,
        `that of ${place} is not believed: ${distrust}`,
        'Use one for this very name from an authority that phones and browsers know, with its intermediates.',
      );
    }
    if (days < urgentDays) return fault(part, `that of ${place} expires in ${days} days`, renew);
    if (days < soonDays) return warning(part, `that of ${place} expires in ${days} days`, renew);
    return ok(part, `that of ${place} is good until ${until}`);
  } catch (error) {
    return fault(
      part,
      `${place} cannot be asked: ${messageOf(error)}`,
      'See that it runs and can be reached from here.',
    );
  }
}

interface Seen {
  expiresAt: Date;
  /** Why it is not believed. */
  distrust: string | undefined;
}

function readCertificate(place: string, ca: string | undefined): Promise<Seen> {
  const [, host = '', port = '443'] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(place) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      // Judged below: one that is not believed is to be told with its date.
      rejectUnauthorized: false,
      timeout: answerMs,
      ...(ca === undefined ? {} : { ca }),
    });
    socket.once('timeout', () => socket.destroy(new Error(`nothing came within ${answerMs / 1000} s`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: expires } = socket.getPeerCertificate();
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      socket.end();
      resolve({ expiresAt: new Date(expires), distrust });
    });
  });
}
