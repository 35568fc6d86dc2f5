import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import type { User } from './queries.ts';

export type Faults = Record<string, string | undefined>;

/** Returns field errors, with wording specific to this form where it is more helpful. */
export function useUserFaults(error: unknown): Faults {
  const { t } = useTranslation();
  const { email, phone, password, ...rest } = faultsByField(t, error);
  const isTaken = email === t('problems.faults.duplicate');
  const isCommon = password === t('problems.faults.common_password');
  return {
    ...rest,
    ...(email && { email: isTaken ? t('people.form.faults.taken') : t('people.form.faults.email') }),
    ...(phone && { phone: t('people.form.faults.phone') }),
    ...(password && { password: isCommon ? password : t('people.form.faults.password') }),
  };
}

/** Fields shared by the new and edit dialogs. */
export function UserFields({ user, faults }: { user?: User; faults: Faults }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <TextInput
        name="name"
        data-autofocus
        autoComplete="off"
        label={t('people.columns.name')}
        defaultValue={user?.name}
        error={faults.name}
      />
      <TextInput
        name="email"
        type="email"
        autoComplete="off"
        label={t('people.columns.email')}
        description={user && t('people.form.emailHint')}
        defaultValue={user?.email}
        error={faults.email}
      />
      <TextInput
        name="phone"
        type="tel"
        autoComplete="off"
        label={t('people.form.phone')}
        placeholder={t('common.phoneExample')}
        defaultValue={user?.phone}
        error={faults.phone}
      />
      <NativeSelect
        name="role"
        label={t('people.columns.role')}
        description={t(user ? 'people.form.roleChange' : 'people.form.roleHint')}
        defaultValue={user?.role ?? 'USER'}
        data={(['USER', 'ADMIN'] as const).map((value) => ({ value, label: t(`common.roles.${value}`) }))}
        error={faults.role}
      />
      <NativeSelect
        name="locale"
        label={t('people.form.locale')}
        defaultValue={user?.locale ?? i18n.language}
        data={(['pt-BR', 'en'] as const).map((value) => ({ value, label: t(`people.languages.${value}`) }))}
        error={faults.locale}
      />
    </>
  );
}

/** Normalizes a phone number; adds the Brazilian country code if it is missing. */
export function normalizePhone(text: string): string {
  const digits = text.replaceAll(/[\s()+.-]/g, '');
  return /^\d{10,11}$/.test(digits) && !text.trim().startsWith('+') ? `55${digits}` : digits;
}
