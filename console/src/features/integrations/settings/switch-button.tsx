import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../../api/session.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { BusyButton } from '../busy-button.tsx';
import { healthQuery, type Integration, integrationsQuery, saveIntegration } from '../queries.ts';
import { readSettings } from './webhook-settings.ts';

/** Pauses an active webhook; enables a paused or disabled one. */
export function SwitchButton({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const keepSaved = useCacheSaved();
  const { id, webhook, webhookDisabledAt } = integration;
  const isOn = webhook && webhookDisabledAt === null;
  const toggle = useMutation({
    mutationFn: () => saveIntegration({ id, webhook: !isOn }),
    onSuccess: keepSaved,
  });
  // A webhook without a URL cannot be enabled.
  if (!isOn && readSettings(integration).url === '') return null;
  const word = isOn ? 'pause' : webhook ? 'enable' : 'resume';
  return (
    <>
      <BusyButton
        variant={isOn ? 'default' : 'filled'}
        size="xs"
        leftSection={<Icon name={isOn ? 'pause' : 'play'} size={14} />}
        isBusy={toggle.isPending}
        onPress={() => toggle.mutate()}
      >
        {t(`integrations.switch.${word}`)}
      </BusyButton>
      {toggle.error && <ProblemNote error={toggle.error} />}
    </>
  );
}

/** Writes the saved integration to the cache and reloads its health. */
export function useCacheSaved(): (saved: Integration) => void {
  const queryClient = useQueryClient();
  return (saved) => {
    queryClient.setQueryData(integrationsQuery.queryKey, (list) => {
      const others = list?.filter(({ id }) => id !== saved.id) ?? [];
      return [...others, saved].sort((one, other) => other.id - one.id);
    });
    void queryClient.invalidateQueries({ queryKey: healthQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
}
