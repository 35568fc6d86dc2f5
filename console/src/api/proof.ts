import { fetchOrReuse } from './early.ts';

/** Asks the user for a proof of identity; resolves to false if the user declines. */
type AskForProof = () => Promise<boolean>;

let ask: AskForProof = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** Registers the dialog. Set by the shell, which is created after the client. */
export const onProofRequired = (handler: AskForProof): void => {
  ask = handler;
};

/** Fetches; if the API asks for a proof of identity first, asks the user once and sends the request again. */
export async function fetchWithProof(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetchOrReuse(request);
  if (response.status !== 403 || !(await asksForProof(response))) return response;
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return (await asking) ? await fetch(again) : response;
}

async function asksForProof(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { errorCode?: string } } | undefined;
  return body?.error?.errorCode === 'PROOF_REQUIRED';
}
