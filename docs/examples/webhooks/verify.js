// Receives webhooks and believes only those that are signed with your secret.
// DISCA_SECRET=whsec_... PORT=8080 node verify.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { env } from 'node:process';

const toleranceSeconds = 300;

// `headers` have lower-case names; `body` is the raw body, before anything has parsed it.
function verify(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return false;
  // One that is old may have been recorded and sent again by somebody else.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  // While the secret is being rotated there are two signatures, one by each secret.
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function receive(request, response) {
  const body = Buffer.concat(await Array.fromAsync(request));
  if (!verify(env.DISCA_SECRET, request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  // Store it under its webhook-id, which a retry has again, and work on it after you have answered.
  return response.writeHead(204, { 'x-event-type': event.eventType }).end();
}

const server = createServer((request, response) => receive(request, response).catch(() => request.destroy()));
server.listen(Number(env.PORT ?? 8080));
