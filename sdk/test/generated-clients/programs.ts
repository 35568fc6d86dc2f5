/** How each generator is called, and a program that uses its client by the names of operations and schemas. */
export const generators = {
  'openapi-typescript': {
    program: 'openapi-typescript',
    args: ['openapi.json', '--default-non-nullable', 'false', '--output', 'openapi-typescript/client.ts'],
    use: `
import type { components, operations, webhooks } from './client.ts';

type Call = components['schemas']['Call'];
type NewCall = operations['placeCall']['requestBody']['content']['application/json'];
type Hangup = webhooks['channel-hangup']['post']['requestBody']['content']['application/json'];

export const body: NewCall = { extension: '1000', called: '5511987654321' };
export const isEnded = (call: Call): boolean => call.status === 'ended';
export const causeOf = ({ hangupCause }: Hangup): string | null => hangupCause;
`,
  },
  'hey-api': {
    program: 'openapi-ts',
    args: [
      ...['--input', 'openapi.json', '--output', 'hey-api'],
      ...['--plugins', '@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
    ],
    use: `
import { type Call, type ChannelHangupEvent, getCall, listExtensions, placeCall } from './index.ts';

export async function place(): Promise<Call['status'] | undefined> {
  const { data: placed } = await placeCall({ body: { extension: '1000', called: '5511987654321' } });
  if (!placed) return undefined;
  return (await getCall({ path: { id: placed.id } })).data?.status;
}

export const numbers = async (): Promise<(string | undefined)[]> =>
  ((await listExtensions()).data ?? []).map(({ ramal }) => ramal);
export const causeOf = ({ hangupCause }: ChannelHangupEvent): string | null => hangupCause;
`,
  },
  orval: {
    program: 'orval',
    args: ['--input', 'openapi.json', '--output', 'orval/client.ts', '--client', 'fetch'],
    use: `
import { type Call, type ChannelHangupEvent, getCall, placeCall } from './client.ts';

export async function place(): Promise<Call['status'] | undefined> {
  const placed = await placeCall({ extension: '1000', called: '5511987654321' });
  if (placed.status !== 200) return undefined;
  const read = await getCall(placed.data.id);
  return read.status === 200 ? read.data.status : undefined;
}

export const causeOf = ({ hangupCause }: ChannelHangupEvent): string | null => hangupCause;
`,
  },
};

export const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
};
