import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { sessionQuery, useIsAdmin } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { parseAmount } from '../../shared/forms/parse-amount.ts';
import { Definition } from '../../shared/layout/definition-list.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { FieldSkeletons } from '../../shared/layout/skeletons.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { LiveRequest } from './live-request.tsx';
import { type Account, accountQuery } from './queries.ts';
import classes from './settings.module.css';
import { timeZoneGroups, timeZoneName } from './time-zones.ts';

export function AccountPanel() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const account = useQuery(accountQuery);
  return (
    <Panel title={t('settings.account.title')}>
      {account.isPending && <FieldSkeletons fields={6} />}
      {account.error && <ProblemNote error={account.error} onRetry={() => void account.refetch()} />}
      {account.data && <AccountFacts account={account.data} />}
      {account.data && isAdmin && <AccountForm account={account.data} />}
      {!isAdmin && <p className={classes.lead}>{t('common.adminsOnly')}</p>}
    </Panel>
  );
}

function AccountFacts({ account }: { account: Account }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  return (
    <dl className={classes.facts}>
      <Definition name={t('settings.account.domain')}>
        {account.domain} <Copy value={account.domain} />
      </Definition>
      <Definition name={t('settings.account.mode')}>
        {t(`settings.account.modes.${account.mode}`)}
        {isAdmin && account.mode === 'test' && <LiveRequest account={account} />}
      </Definition>
      {!isAdmin && <Definition name={t('settings.account.name')}>{account.name}</Definition>}
      {!isAdmin && (
        <Definition name={t('settings.account.timezone')}>{timeZoneName(account.timezone)}</Definition>
      )}
    </dl>
  );
}

function AccountForm({ account }: { account: Account }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Partial<Account>) => unwrap(api.PATCH('/accounts', { body })),
    onSuccess: (saved) => {
      queryClient.setQueryData(accountQuery.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const threshold = formats.money(account.balanceLowThreshold).replaceAll(/[^\d.,]/g, '');
  const submit = (given: FieldReader): void => {
    const field = (name: string): string => given(name).trim();
    save.mutate({
      name: field('name'),
      email: field('email'),
      phone: field('phone'),
      timezone: field('timezone'),
      balanceLowThreshold: parseAmount(field('balanceLowThreshold')),
      requestHandling: field('requestHandling') === 'lenient' ? 'lenient' : 'strict',
      encryptedPhonesOnly: field('encryptedPhonesOnly') === 'yes',
      mediaFromAnyAddress: field('mediaFromAnyAddress') === 'yes',
      usersSee: field('usersSee') === 'all' ? 'all' : 'own',
    });
  };
  const faults = faultsByField(t, save.error);
  const fault = (name: 'email' | 'phone' | 'balanceLowThreshold') =>
    faults[name] && t(`settings.account.faults.${name}`);
  return (
    <Form className={classes.form} onSubmit={submit}>
      <TextInput
        name="name"
        label={t('settings.account.name')}
        defaultValue={account.name}
        error={faults.name}
      />
      <TextInput
        name="email"
        type="email"
        label={t('settings.account.email')}
        defaultValue={account.email}
        error={fault('email')}
      />
      <TextInput
        name="phone"
        type="tel"
        label={t('settings.account.phone')}
        defaultValue={account.phone}
        error={fault('phone')}
      />
      <NativeSelect
        name="timezone"
        label={t('settings.account.timezone')}
        description={t('settings.account.timezoneHint')}
        defaultValue={account.timezone}
        data={timeZoneGroups(account.timezone, {
          brazil: t('settings.account.brazil'),
          others: t('settings.account.otherZones'),
        })}
        error={faults.timezone}
      />
      {/* Fields keep the value that they started with, whose separators depend on the language. */}
      <TextInput
        key={i18n.language}
        name="balanceLowThreshold"
        inputMode="decimal"
        label={t('settings.account.threshold')}
        description={t('settings.account.thresholdHint')}
        defaultValue={threshold}
        error={fault('balanceLowThreshold')}
      />
      <Switch
        name="requestHandling"
        value="lenient"
        label={t('settings.account.compatibility')}
        description={t('settings.account.compatibilityHint')}
        defaultChecked={account.requestHandling === 'lenient'}
      />
      <UsersSwitch account={account} />
      <PhoneSwitches account={account} />
      {save.error && Object.keys(faults).length === 0 && <ProblemNote error={save.error} />}
      {save.isSuccess && (
        <StatusNote kind="good">
          {t('settings.account.saved', { amount: formats.money(save.data.balanceLowThreshold) })}
        </StatusNote>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </div>
    </Form>
  );
}

/** Whose calls USERs see. */
function UsersSwitch({ account }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <Switch
      name="usersSee"
      value="all"
      label={t('settings.account.usersSee')}
      description={t('settings.account.usersSeeHint')}
      defaultChecked={account.usersSee === 'all'}
    />
  );
}

/** Settings of phones without media encryption. */
function PhoneSwitches({ account }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        name="encryptedPhonesOnly"
        value="yes"
        label={t('settings.account.encryptedPhones')}
        description={t('settings.account.encryptedPhonesHint')}
        defaultChecked={account.encryptedPhonesOnly}
      />
      <Switch
        name="mediaFromAnyAddress"
        value="yes"
        label={t('settings.account.anyMedia')}
        description={t('settings.account.anyMediaHint')}
        defaultChecked={account.mediaFromAnyAddress}
      />
    </>
  );
}
