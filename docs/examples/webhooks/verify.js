// Receives webhooks and verifies their signatures.
// DISCA_SECRET=whsec_... PORT=8080 node verify.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { env } from 'node:process';

const toleranceSeconds = 300;

// `headers` have lower-case names; `body` is the raw, unparsed body.
function verify(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return false;
  // Reject old messages: they may be replayed by an attacker.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  // During a secret rotation there are two signatures, one per secret.
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function receive(request, response) {
  const body = Buffer.concat(await Array.fromAsync(request));
  if (!verify(env.DISCA_SECRET, request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  // Store the event by its webhook-id (retries have the same one), respond, and process it afterwards.
  return response.writeHead(204, { 'x-event-type': event.eventType }).end();
}

const server = createServer((request, response) => receive(request, response).catch(() => request.destroy()));
server.listen(Number(env.PORT ?? 8080));
