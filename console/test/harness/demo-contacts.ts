import { indexCalls } from '../../../server/src/contexts/calls/search/index-calls.ts';
import type { Person } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import { plainCall } from './demo-calls.ts';

/** The number of the detailed call (demo-calls.ts). */
export const knownNumber = '5511987654321';

const contacts = [
  { number: knownNumber, name: 'Marina Alves', deal: 'Proposta 4711' },
  { number: '5521987651234', name: 'Conceição do Espírito Santo de Albuquerque e Vasconcelos' },
  {
    number: '5531987654444',
    name: 'Íris Lima',
    deal: 'Renovação do contrato do condomínio Jardim das Acácias',
  },
  { number: '14155550132', deal: 'Pedido 2027-118' },
];

/** The place of a call that is old enough to be indexed without a running worker. */
const indexedCall = 60;

/** Adds contacts of every source, and returns one with a call that is found by words. */
export async function addContacts(
  { api, clock }: Platform,
  { client }: Person,
): Promise<{ contactId: string }> {
  // Also reads contacts from the metadata of calls.
  await indexCalls(api.base, AbortSignal.timeout(120_000));
  await client.post('/contacts/import', { contacts });
  const number = plainCall(indexedCall, clock.now().getTime()).to;
  const body = { number, name: 'Zoraide Prado', deal: 'Proposta 4712' };
  return { contactId: (await client.request('PUT', '/contacts', { body })).body.id };
}
