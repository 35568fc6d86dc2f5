import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { useIsAdmin } from '../../../api/session.ts';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import classes from '../people.module.css';
import { serviceTokensQuery, tokensQuery } from '../queries.ts';
import { IssuedToken } from './issued-token.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { type Scope, scopes } from './scopes.ts';

const daySeconds = 86_400;
const lifetimes = {
  day: daySeconds,
  fortnight: 14 * daySeconds,
  quarter: 90 * daySeconds,
  year: 365 * daySeconds,
};
const choices = [...(Object.keys(lifetimes) as (keyof typeof lifetimes)[]), 'never'] as const;

interface Wanted {
  isService: boolean;
  name: string;
  ttl: number;
  scopes: Scope[];
  allowedAddresses: string[];
}

/** Creates a token, which is shown once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: createToken,
    onSuccess: (_token, { isService }) =>
      queryClient.invalidateQueries({ queryKey: (isService ? serviceTokensQuery : tokensQuery).queryKey }),
  });
  const { scopes: scopeFault, ...faults } = wholeFields(faultsByField(t, create.error));
  const hasFaults = scopeFault !== undefined || Object.keys(faults).length > 0;
  return (
    <Dialog title={t('people.tokens.newTitle')} onClose={onClose}>
      {create.data ? (
        <IssuedToken token={create.data} isService={create.variables?.isService ?? false} onClose={onClose} />
      ) : (
        <Form className={classes.form} onSubmit={(given, form) => create.mutate(wantedFrom(given, form))}>
          <TextInput
            name="name"
            data-autofocus
            maxLength={60}
            autoComplete="off"
            label={t('people.tokens.name')}
            description={t('people.tokens.nameHint')}
            error={faults.name && t('people.tokens.nameRequired')}
          />
          <NativeSelect
            name="lifetime"
            label={t('people.tokens.lifetime')}
            defaultValue="quarter"
            data={choices.map((value) => ({ value, label: t(`people.tokens.lifetimes.${value}`) }))}
            error={faults.ttl}
          />
          <ScopeFields error={scopeFault && t('people.tokens.scopesRequired')} />
          <Textarea
            name="addresses"
            autosize
            minRows={1}
            label={t('people.tokens.addresses')}
            description={t('people.tokens.addressesHint')}
            error={faults.allowedAddresses && t('people.tokens.addressesFault')}
          />
          {isAdmin && (
            <Checkbox
              name="service"
              value="yes"
              label={t('people.tokens.service')}
              description={t('people.tokens.serviceHint')}
            />
          )}
          {create.error && !hasFaults && <ProblemNote error={create.error} />}
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

function wantedFrom(given: FieldReader, form: HTMLFormElement): Wanted {
  const lifetime = given('lifetime') as (typeof choices)[number];
  const chosen = new FormData(form).getAll('scopes');
  return {
    isService: given('service') !== '',
    name: given('name').trim(),
    ttl: lifetime === 'never' ? -1 : lifetimes[lifetime],
    scopes: scopes.filter((scope) => chosen.includes(scope)),
    allowedAddresses: given('addresses')
      .split(/[\s,;]+/)
      .filter(Boolean),
  };
}

function createToken({ isService, name, scopes: chosen, allowedAddresses, ttl }: Wanted) {
  const limits = { ttl, ...(allowedAddresses.length > 0 && { allowedAddresses }) };
  if (isService)
    return unwrap(api.POST('/accounts/accessTokens', { body: { ...limits, name, scopes: chosen } }));
  const body = { ...limits, ...(name !== '' && { name }), ...(chosen.length > 0 && { scopes: chosen }) };
  return unwrap(api.POST('/users/accessTokens', { body }));
}

/** Assigns the errors of list items, such as `allowedAddresses.0`, to their field. */
const wholeFields = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(faults).map(([path, text]) => [path.split('.', 1)[0] ?? path, text]));
