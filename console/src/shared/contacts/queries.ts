import type { QueryClient } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Contact = Answer<'/contacts/{id}'>;
export type NewContact = paths['/contacts']['put']['requestBody']['content']['application/json'];

export const contactsKey = ['contacts'];

export const saveContact = (body: NewContact): Promise<Contact> => unwrap(api.PUT('/contacts', { body }));

/** Returns the contact of a number in any notation that the user sees; null if there is none. */
export async function lookUpContact(number: string, signal?: AbortSignal): Promise<Contact | null> {
  const query = { number };
  const { contact } = await unwrap(
    api.GET('/contacts/lookup', { params: { query }, ...(signal && { signal }) }),
  );
  return contact;
}

/** Reads the contacts again, and the open call, whose record contains its contact. */
export function refreshContacts(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: contactsKey });
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [first, second, , ...more] }) =>
      first === 'calls' && second === 'one' && more.length === 0,
  });
}
