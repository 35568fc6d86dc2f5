import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import type { Draft, DraftFaults } from './draft.ts';

export interface DraftProps {
  draft: Draft;
  faults: DraftFaults;
  onChange: (draft: Draft) => void;
}

export function UrlFields({ draft, faults, onChange }: DraftProps) {
  const { t } = useTranslation();
  const { account } = useSession();
  const hint = account.mode === 'live' ? 'urlHintLive' : 'urlHint';
  return (
    <>
      <TextInput
        name="gateway"
        label={t('integrations.fields.name')}
        description={t('integrations.fields.nameHint')}
        value={draft.gateway}
        error={faults.gateway && t(`integrations.faults.name.${faults.gateway}`)}
        onChange={(event) => onChange({ ...draft, gateway: event.currentTarget.value })}
      />
      <TextInput
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        label={t('integrations.fields.url')}
        description={t(`integrations.fields.${hint}`)}
        value={draft.url}
        error={faults.url && t(`integrations.faults.url.${faults.url}`)}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
    </>
  );
}
