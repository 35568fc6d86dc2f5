import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { useBrowserPhone } from '../../../shared/phone-number/browser-phone.ts';
import { Note } from '../../../shared/problems/problem-note.tsx';
import type { Extension } from '../queries.ts';
import { fullName } from '../view.ts';
import classes from './set-up.module.css';

/** The browser phone as the phone of an extension: for the user's own one a button, for others what to say to them. */
export function ThisBrowser({ extension, onDone }: { extension: Extension; onDone: () => void }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const phone = useBrowserPhone();
  const { id, email_address: email } = extension;
  const isOwn = email.toLowerCase() === user.email.toLowerCase();
  if (!isOwn)
    return (
      <p className={classes.text}>
        {t('extensions.setUp.browser.other', { name: fullName(extension), email })}
      </p>
    );
  if (phone?.extensionId === id) return <Note kind="good">{t('extensions.setUp.browser.inUse')}</Note>;
  const use = (): void => {
    onDone();
    phone?.switchOn(id);
  };
  return (
    <>
      <p className={classes.text}>{t('extensions.setUp.browser.text')}</p>
      <Button className={classes.use} disabled={!phone} onClick={use}>
        {t('extensions.setUp.browser.use')}
      </Button>
    </>
  );
}
