import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { curlWithBody } from '../../shared/format/curl.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';

export function NoContacts({
  isSearch,
  onCreate,
  onClear,
}: {
  isSearch: boolean;
  onCreate: () => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  if (isSearch)
    return (
      <EmptyState
        icon="search"
        text={t('contacts.nothingFound')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('common.showAll')}
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon="contacts"
      text={t(isAdmin ? 'contacts.empty' : 'contacts.emptyForUser')}
      action={<Button onClick={onCreate}>{t('contacts.form.open')}</Button>}
      curl={curlWithBody('/contacts', example, 'PUT')}
    />
  );
}

const example = '{"number": "5511987654321", "name": "Marina Alves", "deal": "Proposta 4711"}';
