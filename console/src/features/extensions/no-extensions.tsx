import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { curlWithBody } from '../../shared/format/curl.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';

export function NoExtensions({
  isEmpty,
  onCreate,
  onClear,
}: {
  /** Whether the account has no extensions at all, as opposed to no matches. */
  isEmpty: boolean;
  onCreate: () => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  if (!isEmpty)
    return (
      <EmptyState
        icon="search"
        text={t(isAdmin ? 'extensions.nothingFound' : 'extensions.noOwn')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('common.showAll')}
          </Button>
        }
      />
    );
  if (!isAdmin) return <EmptyState icon="extensions" text={t('extensions.emptyForUser')} />;
  return (
    <EmptyState
      icon="extensions"
      text={t('extensions.empty')}
      action={<Button onClick={onCreate}>{t('extensions.form.open')}</Button>}
      curl={curlWithBody('/extensions/next-available', example)}
    />
  );
}

const example =
  '{"senha": "uma-senha-longa", "first_name": "Ana", "last_name": "Souza", "email_address": "ana@example.com", "gravar_audio": 1}';
