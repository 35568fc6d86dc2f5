import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { PasswordField } from '../../../shared/forms/password-field.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import { adminFactorsQuery } from '../factors/queries.ts';
import classes from '../settings.module.css';
import { type SsoSettings, ssoQuery } from './queries.ts';

export function SsoForm({ settings }: { settings: SsoSettings }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isRequired, setRequired] = useState(settings.isRequired);
  const save = useMutation({
    mutationFn: async (field: FieldReader) => {
      const clientSecret = field('clientSecret');
      return await unwrap(
        api.PUT('/accounts/sso', {
          body: {
            issuer: field('issuer').trim(),
            clientId: field('clientId').trim(),
            ...(clientSecret ? { clientSecret } : {}),
            domains: field('domains')
              .split(/[\s,;]+/)
              .filter(Boolean),
            isRequired,
            exemptAdmin: field('exemptAdmin') || settings.exemptAdmin,
          },
        }),
      );
    },
    onSuccess: (saved) => queryClient.setQueryData(ssoQuery.queryKey, saved),
  });
  const faults = faultsByField(t, save.error);
  const domainFault = Object.entries(faults).find(([path]) => path.startsWith('domains'))?.[1];
  const isExplained =
    domainFault !== undefined || ['issuer', 'clientId', 'clientSecret'].some((name) => faults[name]);
  return (
    <Form className={classes.form} onSubmit={(field) => save.mutate(field)}>
      <TextInput
        name="issuer"
        label={t('settings.sso.issuer')}
        description={t('settings.sso.issuerHint')}
        placeholder={t('settings.sso.issuerExample')}
        defaultValue={settings.issuer ?? ''}
        error={faults.issuer}
      />
      <TextInput
        name="clientId"
        label={t('settings.sso.clientId')}
        defaultValue={settings.clientId ?? ''}
        error={faults.clientId}
      />
      <PasswordField
        name="clientSecret"
        label={t('settings.sso.clientSecret')}
        description={settings.isConfigured ? t('settings.sso.secretKept') : undefined}
        autoComplete="off"
        error={faults.clientSecret}
      />
      <TextInput
        name="domains"
        label={t('settings.sso.domains')}
        description={t('settings.sso.domainsHint')}
        placeholder={t('settings.sso.domainsExample')}
        defaultValue={settings.domains.map(({ domain }) => domain).join(', ')}
        error={domainFault}
      />
      <Switch
        label={t('settings.sso.required')}
        description={t('settings.sso.requiredHint')}
        checked={isRequired}
        onChange={({ currentTarget: { checked } }) => setRequired(checked)}
      />
      {isRequired && <ExemptAdmin chosen={settings.exemptAdmin} />}
      {save.error && !isExplained && <ProblemNote error={save.error} />}
      {save.isSuccess && <StatusNote kind="good">{t('settings.sso.saved')}</StatusNote>}
      <div className={classes.actions}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('settings.sso.save')}
        </Button>
      </div>
    </Form>
  );
}

/** The ADMIN who can log in with a password if single sign-on fails. */
function ExemptAdmin({ chosen }: { chosen: string | null }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const { data } = useQuery(adminFactorsQuery);
  if (!data) return null;
  return (
    <NativeSelect
      name="exemptAdmin"
      label={t('settings.sso.exempt')}
      description={t('settings.sso.exemptHint')}
      defaultValue={chosen ?? user.uuid}
      data={data.admins.map(({ uuid, name, email }) => ({ value: uuid, label: `${name} (${email})` }))}
    />
  );
}
