import { api, unwrap } from '../../api/client.ts';
import type { Extension, NewExtension } from './queries.ts';

export interface ExtensionInput {
  ramal: string;
  senha: string;
  first_name: string;
  last_name: string;
  email_address: string;
  bina: string;
  gravar_audio: 0 | 1;
  auto_answer: 0 | 1;
}

/** Creates an extension. If the suggested number is unchanged, the API assigns the next free one, which avoids races. */
export function createExtension(
  written: ExtensionInput,
  offeredRamal: string | undefined,
): Promise<Extension> {
  const { ramal, ...rest } = written;
  const isOffered = ramal !== '' && ramal === offeredRamal;
  if (isOffered)
    return unwrap(api.POST('/extensions/next-available', { body: withoutEmptyFields(rest) as NewExtension }));
  return unwrap(api.POST('/extensions', { body: withoutEmptyFields(written) as NewExtension }));
}

/** Sends changed fields only: sending the password would end the registration. An empty password is kept. */
export function changeExtension(before: Extension, written: ExtensionInput): Promise<Extension> {
  const changed = Object.entries(written).filter(
    ([name, value]) => before[name as keyof ExtensionInput] !== value && !(name === 'senha' && value === ''),
  );
  return unwrap(api.PATCH('/extensions', { body: { id: before.id, ...Object.fromEntries(changed) } }));
}

/** Reads the SIP password, which lists do not contain. A new extension still has it. */
export async function revealSenha({ id, senha }: Extension): Promise<string> {
  if (senha !== undefined) return senha;
  const path = { id: String(id) };
  return (await unwrap(api.POST('/extensions/{id}/reveal', { params: { path }, body: null }))).senha;
}

/** Omits empty fields, so that the API reports them as missing. */
const withoutEmptyFields = (written: Partial<ExtensionInput>): Partial<ExtensionInput> =>
  Object.fromEntries(Object.entries(written).filter(([name, value]) => value !== '' || name === 'bina'));
