import { Button, Code, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, apiPath, unwrap } from '../../../api/client.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import classes from '../people.module.css';
import { type IssuedToken, tokensQuery } from '../queries.ts';

const daySeconds = 86_400;
const lifetimes = {
  day: daySeconds,
  fortnight: 14 * daySeconds,
  quarter: 90 * daySeconds,
  year: 365 * daySeconds,
};
const choices = [...(Object.keys(lifetimes) as (keyof typeof lifetimes)[]), 'never'] as const;

/** Creates a token, which is shown once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: (body: { name?: string; ttl: number }) => unwrap(api.POST('/users/accessTokens', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const submit = (given: FieldReader): void => {
    const name = given('name').trim();
    const lifetime = given('lifetime') as (typeof choices)[number];
    create.mutate({ ...(name !== '' && { name }), ttl: lifetime === 'never' ? -1 : lifetimes[lifetime] });
  };
  const faults = faultsByField(t, create.error);
  return (
    <Dialog title={t('people.tokens.newTitle')} onClose={onClose}>
      {create.data ? (
        <Issued token={create.data} onClose={onClose} />
      ) : (
        <Form className={classes.form} onSubmit={submit}>
          <TextInput
            name="name"
            data-autofocus
            maxLength={60}
            autoComplete="off"
            label={t('people.tokens.name')}
            description={t('people.tokens.nameHint')}
            error={faults.name}
          />
          <NativeSelect
            name="lifetime"
            label={t('people.tokens.lifetime')}
            defaultValue="quarter"
            data={choices.map((value) => ({ value, label: t(`people.tokens.lifetimes.${value}`) }))}
            error={faults.ttl}
          />
          {create.error && Object.keys(faults).length === 0 && <ProblemNote error={create.error} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('people.tokens.submit')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}

function Issued({ token, onClose }: { token: IssuedToken; onClose: () => void }) {
  const { t } = useTranslation();
  const curl = `curl ${location.origin}${apiPath}/users/me -H "Authorization: Bearer ${token.id}"`;
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
