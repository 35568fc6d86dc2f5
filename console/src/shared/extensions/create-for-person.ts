import { type Answer, api, unwrap } from '../../api/client.ts';
import { splitName } from '../format/split-name.ts';
import { generatePassword } from '../forms/random-password.ts';

/** Creates an extension with the next free number for the person with this e-mail. */
export const createExtensionFor = (
  person: { name: string; email: string },
  company: string,
): Promise<Answer<'/extensions/next-available', 'post'>> =>
  unwrap(
    api.POST('/extensions/next-available', {
      body: {
        ...splitName(person.name || (person.email.split('@')[0] ?? ''), company),
        email_address: person.email,
        senha: generatePassword(),
        gravar_audio: 1,
      },
    }),
  );
