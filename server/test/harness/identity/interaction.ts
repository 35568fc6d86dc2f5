import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { ProviderUser } from './provider.ts';

const form = `<!doctype html><html lang="en"><title>Test provider</title><h1>Test provider</h1>
<form method="post"><label>User <input name="user"></label><button>Log in</button>
<button name="cancel" value="1">Cancel</button></form></html>`;

/** Shows the login page of the provider, and accepts the name of a user without a password. */
export async function answerInteraction(
  provider: Provider,
  users: Map<string, ProviderUser>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== 'POST') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(form);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const given = new URLSearchParams(Buffer.concat(chunks).toString());
    const user = users.get(given.get('user') ?? '');
    const result =
      user && !given.has('cancel') ? { login: { accountId: user.sub } } : { error: 'access_denied' };
    await provider.interactionFinished(request, response, result);
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
}
