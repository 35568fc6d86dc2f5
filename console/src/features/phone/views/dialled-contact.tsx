import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { contactsKey, lookUpContact } from '../../../shared/contacts/queries.ts';
import { readDialled } from '../../../shared/phone-number/read-number.ts';
import classes from '../dock.module.css';

const typingMs = 300;
/** Shorter numbers are extensions. */
const leastDigits = 8;

/** The name and the deal of a number that the user is about to call. */
export function DialledContact({ text }: { text: string }) {
  const [typed] = useDebouncedValue(text, typingMs);
  const { data: contact } = useQuery(dialledContactQuery(typed));
  if (!contact || typed !== text) return null;
  return (
    <span className={classes.quiet} role="status">
      {[contact.name, contact.deal].filter(Boolean).join(' · ')}
    </span>
  );
}

const dialledContactQuery = (text: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'dialled', text],
    queryFn: async ({ signal }) => {
      const reading = await readDialled(text);
      if ('fault' in reading || reading.digits.length < leastDigits) return null;
      return await lookUpContact(reading.digits, signal);
    },
    enabled: text.replaceAll(/\D/g, '').length >= leastDigits,
    staleTime: 0,
    // The number can be called without it.
    retry: false,
  });
