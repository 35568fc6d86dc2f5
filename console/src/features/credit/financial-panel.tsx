import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Definition } from '../../shared/layout/definition-list.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { FieldSkeletons } from '../../shared/layout/skeletons.tsx';
import { Note, ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import classes from './credit.module.css';
import { type Financial, financialQuery } from './queries.ts';
import { formatTaxId } from './tax-id.ts';

export function FinancialPanel() {
  const { t } = useTranslation();
  const financial = useQuery(financialQuery);
  return (
    <Panel id="billing-details" title={t('credit.financial.title')}>
      {financial.isPending && <FieldSkeletons fields={4} />}
      {financial.error && <ProblemNote error={financial.error} onRetry={() => void financial.refetch()} />}
      {financial.data && <Facts financial={financial.data} />}
      {financial.data?.status === 'PENDING' && <TaxIdForm />}
      {financial.data && <ContactForm financial={financial.data} />}
    </Panel>
  );
}

function Facts({ financial }: { financial: Financial }) {
  const { t } = useTranslation();
  const { status, name, email, cpfCnpj, personType } = financial;
  return (
    <>
      {status === 'BLOCKED' && <Note kind="bad">{t('credit.financial.blocked')}</Note>}
      <dl className={classes.facts}>
        <Definition name={t('credit.financial.name')}>{name}</Definition>
        <Definition name={t('credit.financial.email')}>{email}</Definition>
        {cpfCnpj && (
          <Definition name={t(personType === 'FISICA' ? 'credit.financial.cpf' : 'credit.financial.cnpj')}>
            {formatTaxId(cpfCnpj)}{' '}
            <span className={classes.state} data-kind="good">
              <Icon name="check" size={14} />
              {t('credit.financial.final')}
            </span>
          </Definition>
        )}
      </dl>
    </>
  );
}

function TaxIdForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: (cpfCnpj: string) => unwrap(api.POST('/accounts/financial', { body: { cpfCnpj } })),
    onSuccess: (saved) => queryClient.setQueryData(financialQuery.queryKey, saved),
  });
  const faults = faultsByField(t, send.error);
  return (
    <Form className={classes.form} onSubmit={(field) => send.mutate(field('cpfCnpj').trim())}>
      <TextInput
        name="cpfCnpj"
        label={t('credit.financial.taxId')}
        description={t('credit.financial.taxIdHint')}
        maxLength={20}
        error={faults.cpfCnpj && t('credit.financial.faults.cpfCnpj')}
      />
      {send.error && !faults.cpfCnpj && <ProblemNote error={send.error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={send.isPending}>
          {t('credit.financial.send')}
        </Button>
      </div>
    </Form>
  );
}

const contactFields = ['phone', 'mobilePhone', 'additionalEmails'] as const;

function ContactForm({ financial }: { financial: Financial }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Record<(typeof contactFields)[number], string | null>) =>
      unwrap(api.PUT('/accounts/financial', { body })),
    onSuccess: (saved) => queryClient.setQueryData(financialQuery.queryKey, saved),
  });
  const submit = (given: FieldReader): void => {
    // Empty fields are cleared.
    const of = (name: (typeof contactFields)[number]): string | null => given(name).trim() || null;
    save.mutate({
      phone: of('phone'),
      mobilePhone: of('mobilePhone'),
      additionalEmails: of('additionalEmails'),
    });
  };
  const faults = faultsByField(t, save.error);
  return (
    <Form className={classes.form} onSubmit={submit}>
      {contactFields.map((name) => (
        <TextInput
          key={name}
          name={name}
          type={name === 'additionalEmails' ? 'text' : 'tel'}
          label={t(`credit.financial.contact.${name}`)}
          {...(name === 'additionalEmails' && { description: t('credit.financial.emailsHint') })}
          defaultValue={financial[name] ?? ''}
          error={faults[name] && t(`credit.financial.faults.${name}`)}
        />
      ))}
      {save.error && Object.keys(faults).length === 0 && <ProblemNote error={save.error} />}
      {save.isSuccess && <StatusNote kind="good">{t('common.saved')}</StatusNote>}
      <div className={classes.actions}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('credit.financial.save')}
        </Button>
      </div>
    </Form>
  );
}
