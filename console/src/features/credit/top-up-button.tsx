import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';

/** Leads from a list without entries to the form that fills it. Only administrators can add credit. */
export function TopUpButton() {
  const { t } = useTranslation();
  if (!useIsAdmin()) return null;
  // In live mode, the billing details come first.
  const focus = (): void =>
    document.querySelector<HTMLInputElement>('main [name=amount], main [name=cpfCnpj]')?.focus();
  return (
    <Button variant="default" onClick={focus}>
      {t('shell.palette.addCredit')}
    </Button>
  );
}
