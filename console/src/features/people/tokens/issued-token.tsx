import { Button, Code } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { apiPath } from '../../../api/client.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { DialogActions } from '../../../shared/layout/dialog.tsx';
import { StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../people.module.css';
import type { IssuedToken as Issued } from '../queries.ts';

/** Shows a new token and a request to try it. */
export function IssuedToken({
  token,
  isService,
  onClose,
}: {
  token: Issued;
  isService: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  // A service token has no user, so its request only checks the token.
  const request = isService
    ? `curl -I ${location.origin}${apiPath}/users/accessTokens`
    : `curl ${location.origin}${apiPath}/users/me`;
  const curl = `${request} -H "Authorization: Bearer ${token.id}"`;
  return (
    <>
      <StatusNote kind="live">{t('people.tokens.once')}</StatusNote>
      <figure className={classes.figure}>
        <figcaption className={classes.caption}>
          {t('people.tokens.token')} <Copy value={token.id} label={t('people.tokens.copy')} />
        </figcaption>
        <Code block className={classes.code}>
          {token.id}
        </Code>
      </figure>
      <figure className={classes.figure}>
        <figcaption className={classes.caption}>
          {t('people.tokens.try')} <Copy value={curl} label={t('people.tokens.copyCurl')} />
        </figcaption>
        <Code block className={classes.code}>
          {curl}
        </Code>
      </figure>
      <DialogActions>
        <Button onClick={onClose}>{t('people.tokens.stored')}</Button>
      </DialogActions>
    </>
  );
}
