import { Button, NativeSelect, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import type { paths } from '../../api/schema.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { PasswordField } from '../../shared/forms/password-field.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import classes from './auth-layout.module.css';

type SignUpBody = paths['/accounts/signup']['post']['requestBody']['content']['application/json'];

const choicesQuery = queryOptions({
  queryKey: ['sign-up choices'],
  queryFn: () => unwrap(api.GET('/accounts/signup')),
  staleTime: Number.POSITIVE_INFINITY,
});

export function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const { t, i18n } = useTranslation();
  const choices = useQuery(choicesQuery);
  const suffix = choices.data?.domainSuffix ?? '';
  const signUp = useMutation({
    // Emails are sent in the language of the page, not the browser's preference.
    mutationFn: (body: SignUpBody) =>
      unwrap(api.POST('/accounts/signup', { body, headers: { 'Accept-Language': i18n.language } })),
    onSuccess: (_answer, body) => onDone(body.email),
  });
  const submit = (given: FieldReader): void => {
    const field = (name: string): string => given(name).trim();
    const label = field('domain').toLowerCase();
    // To the API an empty name is an absent one, which it accepts; it refuses a blank one.
    signUp.mutate({
      name: field('name') || ' ',
      ...withoutEmptyFields({
        organization_name: field('organization_name'),
        domain: label && `${label}${suffix}`,
        email: field('email'),
        phone: field('phone'),
        password: given('password'),
        crm: field('crm') as SignUpBody['crm'],
        user_quantity: field('user_quantity') as SignUpBody['user_quantity'],
      }),
    });
  };
  const faults = signUpFaults(t, signUp.error);
  const common = { required: true, withAsterisk: false } as const;
  return (
    <Form onSubmit={submit}>
      {choices.error && <ProblemNote error={choices.error} onRetry={() => void choices.refetch()} />}
      {signUp.error && Object.keys(faults).length === 0 && <ProblemNote error={signUp.error} />}
      <TextInput
        {...common}
        name="name"
        label={t('enter.signUp.name')}
        autoComplete="name"
        error={faults.name}
      />
      <TextInput
        {...common}
        name="organization_name"
        label={t('enter.signUp.organization')}
        autoComplete="organization"
        error={faults.organization_name}
      />
      <TextInput
        {...common}
        name="domain"
        label={t('enter.signUp.domain')}
        description={t('enter.signUp.domainHint')}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        rightSection={<span className={classes.suffix}>{suffix}</span>}
        rightSectionWidth={suffix.length * 8 + 16}
        error={faults.domain}
      />
      <TextInput
        {...common}
        name="email"
        type="email"
        label={t('enter.signUp.email')}
        autoComplete="email"
        error={faults.email}
      />
      <TextInput
        {...common}
        name="phone"
        type="tel"
        label={t('enter.signUp.phone')}
        autoComplete="tel-national"
        error={faults.phone}
      />
      <PasswordField
        {...common}
        name="password"
        label={t('enter.signUp.password')}
        description={t('enter.signUp.passwordHint')}
        autoComplete="new-password"
        error={faults.password}
      />
      <Choices choices={choices.data} faults={faults} />
      <Terms url={choices.data?.termsUrl} />
      <Button type="submit" loading={signUp.isPending} disabled={!choices.data}>
        {t('enter.signUp.submit')}
      </Button>
    </Form>
  );
}

function Choices({
  choices,
  faults,
}: {
  choices: Answer<'/accounts/signup'> | undefined;
  faults: Record<string, string>;
}) {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        name="crm"
        label={t('enter.signUp.crm')}
        data={crmChoices(choices?.crmNames ?? [], t('enter.signUp.otherCrm'))}
        error={faults.crm}
      />
      <NativeSelect
        name="user_quantity"
        label={t('enter.signUp.people')}
        data={choices?.userQuantities.map((value) => ({ value, label: value.replace('-', '–') })) ?? []}
        error={faults.user_quantity}
      />
    </>
  );
}

function Terms({ url }: { url: string | null | undefined }) {
  const { t } = useTranslation();
  if (!url) return null;
  return (
    <p className={classes.terms}>
      {t('enter.signUp.terms')}{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {t('enter.signUp.termsLink')}
      </a>
      .
    </p>
  );
}

const otherCrm = 'Outros';

/** Alphabetical, after the choice for other CRMs, which is selected until the user chooses. */
const crmChoices = (names: string[], other: string): { value: string; label: string }[] =>
  names
    .toSorted((one, two) => Number(two === otherCrm) - Number(one === otherCrm) || one.localeCompare(two))
    .map((value) => ({ value, label: value === otherCrm ? other : value }));

/** Omits empty fields, so that the API reports them as missing rather than too short. */
const withoutEmptyFields = (body: SignUpBody): SignUpBody =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) as SignUpBody;

/** Returns the error message of each field, with wording specific to this form. */
function signUpFaults(t: TFunction, error: unknown): Record<string, string> {
  const faults = faultsByField(t, error);
  for (const field of ['domain', 'email', 'phone', 'password'] as const) {
    const code = isProblem(error) ? error.faults.find(({ path }) => path === field)?.code : undefined;
    if (code === undefined || code === 'required' || code === 'common_password') continue;
    const isTaken = code === 'duplicate' && (field === 'domain' || field === 'email');
    faults[field] = isTaken ? t(`enter.signUp.faults.taken.${field}`) : t(`enter.signUp.faults.${field}`);
  }
  const isNameEmpty =
    isProblem(error) && error.faults.some(({ path, code }) => path === 'name' && code === 'too_small');
  if (isNameEmpty) faults.name = t('problems.faults.required');
  return faults;
}
