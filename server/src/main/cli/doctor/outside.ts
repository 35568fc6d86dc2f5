import { X509Certificate } from 'node:crypto';
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
    'Check that ASAAS_URL and ASAAS_API_KEY belong together and that this machine can reach the gateway. Until then live accounts cannot top up.',
  async look() {
    const { ASAAS_URL: url = '', ASAAS_API_KEY: key, ASAAS_WEBHOOK_TOKEN: token } = settings;
    if (!key && !token) {
      return warning(
        'payments',
        'no payment gateway is configured: test accounts can top up, live accounts cannot',
        'Set ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN before the first live account.',
      );
    }
    if (!key || !token)
      return fault(
        'payments',
        'ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN must be set together',
        'Set both, or neither.',
      );
    await checkAsaasKey(url, key);
    return ok('payments', 'the gateway accepts our key');
  },
});

export const checkPublicUrl = ({ PUBLIC_URL: url }: Settings, ca?: string): Check => ({
  part: 'public address',
  otherwise:
    'Check that the host of PUBLIC_URL resolves to your load balancer and that an api process runs behind it. Links in e-mails use it.',
  async look() {
    if (!url) throw new Error('PUBLIC_URL is not valid');
    const answer = await fetch(`${url.replace(/\/$/, '')}/api/v1/openapi.json`, {
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await answer.text();
    if (!answer.ok || !text.includes('"openapi"')) {
      return fault(
        'public address',
        `${url} returns ${answer.status} and is not our API`,
        'Point PUBLIC_URL at the api.',
      );
    }
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !/^(127\.|localhost$|\[::1\])/.test(hostname) && ca === undefined) {
      return warning(
        'public address',
        `${url} is not encrypted: passwords and tokens are sent in the clear`,
        'Add a TLS certificate in front of it, and use https in PUBLIC_URL.',
      );
    }
    return ok('public address', `${url} reaches our API`);
  },
});

/** Checks the certificates of every address that clients reach by TLS, and those of voice. */
export const checkCertificates = (settings: Settings, now: () => number, ca?: string): Check => ({
  part: 'certificates',
  otherwise: 'Check that the address is right.',
  async look() {
    const { PUBLIC_URL, CONSOLE_URL, EDGE_WEBSOCKET_URLS = [], TURN_URLS = [] } = settings;
    const urls = [PUBLIC_URL, CONSOLE_URL, ...EDGE_WEBSOCKET_URLS]
      .filter((url) => url !== undefined && /^(https|wss):/.test(url))
      .map((url) => new URL(url as string))
      .map(({ hostname, port }) => `${hostname}:${port || 443}`);
    const relays = TURN_URLS.filter((url) => url.startsWith('turns:')).map((url) =>
      url.replace(/^turns:/, '').replace(/\?.*$/, ''),
    );
    const all = [...new Set([...urls, ...relays])];
    const own = judgeOwnCertificates(settings, now());
    if (all.length === 0) return [ok('certificates', 'no public address uses TLS'), ...own];
    return [...(await Promise.all(all.map((place) => judgeCertificate(place, now(), ca)))), ...own];
  },
});

/** Judges the certificates with which voice and media nodes trust each other, if they are on several machines. */
function judgeOwnCertificates(settings: Settings, nowMs: number): Finding[] {
  const { VOICE_CERTIFICATE: voice, VOICE_NODE_AUTHORITY: authority } = settings;
  const renew =
    'Renew the certificates of voice and the media nodes (docs/operate/secure.md); with expired ones no media node can connect.';
  const judge = (owner: string, pem: string | undefined): Finding[] =>
    pem === undefined
      ? []
      : [
          judgeExpiry(
            `the certificate of ${owner}`,
            new Date(new X509Certificate(pem).validTo),
            nowMs,
            renew,
          ),
        ];
  return [...judge('voice', voice), ...judge('the authority of media nodes', authority)];
}

function judgeExpiry(what: string, expiresAt: Date, nowMs: number, renew: string): Finding {
  const part = 'certificates';
  const days = Math.floor((expiresAt.getTime() - nowMs) / dayMs);
  const until = expiresAt.toISOString().slice(0, 10);
  if (days < 0) return fault(part, `${what} expired on ${until}`, renew);
  if (days < urgentDays) return fault(part, `${what} expires in ${days} days`, renew);
  if (days < soonDays) return warning(part, `${what} expires in ${days} days`, renew);
  return ok(part, `${what} is valid until ${until}`);
}

async function judgeCertificate(place: string, nowMs: number, ca: string | undefined): Promise<Finding> {
  const part = 'certificates';
  const renew = 'Renew the certificate, and check why it was not renewed automatically.';
  try {
    const { expiresAt, distrust } = await readCertificate(place, ca);
    if (distrust && expiresAt.getTime() > nowMs) {
      return fault(
        part,
        `the certificate of ${place} is not trusted: ${distrust}`,
        'Use a certificate for this host name from an authority that phones and browsers trust, with its intermediates.',
      );
    }
    return judgeExpiry(`the certificate of ${place}`, expiresAt, nowMs, renew);
  } catch (error) {
    return fault(
      part,
      `${place} is unreachable: ${messageOf(error)}`,
      'Check that it runs and can be reached from here.',
    );
  }
}

interface Seen {
  expiresAt: Date;
  /** Why the certificate is not trusted. */
  distrust: string | undefined;
}

function readCertificate(place: string, ca: string | undefined): Promise<Seen> {
  const [, host = '', port = '443'] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(place) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      // Verified below, so that an untrusted certificate is reported with its expiry date.
      rejectUnauthorized: false,
      timeout: answerMs,
      ...(ca === undefined ? {} : { ca }),
    });
    socket.once('timeout', () => socket.destroy(new Error(`no response within ${answerMs / 1000} s`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: expires } = socket.getPeerCertificate();
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      socket.end();
      resolve({ expiresAt: new Date(expires), distrust });
    });
  });
}
