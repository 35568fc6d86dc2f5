import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../api/session.ts';
import { AlertNote, Note } from '../../shared/problems/problem-note.tsx';
import { closeMicrophone, NoMicrophone, openMicrophone } from './engine/microphone.ts';
import { changePhoneSettings } from './settings.ts';
import { requestTakeover } from './takeover-request.ts';
import { Card } from './views/card.tsx';

/** Explains the phone and enables it in this browser. */
export function SwitchOn({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { extensions } = useSession();
  return (
    <Card title={t('phone.title')} takesFocus onClose={onClose}>
      {extensions.length === 0 ? <NoExtension /> : <Choose />}
    </Card>
  );
}

function Choose() {
  const { t } = useTranslation();
  const { user, extensions } = useSession();
  const [id, setId] = useState(extensions[0]?.id);
  const chosen = extensions.find((each) => each.id === id);
  const switchOn = useMutation({
    // Asks for permission now, because the user may not be looking when the phone rings.
    mutationFn: async () => closeMicrophone(await openMicrophone(undefined)),
    onSuccess: () => {
      requestTakeover();
      changePhoneSettings(user.uuid, { extensionId: id ?? null });
    },
  });
  return (
    <>
      <p>{t('phone.on.text')}</p>
      {extensions.length > 1 && (
        <NativeSelect
          label={t('phone.on.choose')}
          value={id}
          onChange={(event) => setId(Number(event.currentTarget.value))}
          data={extensions.map((each) => ({ value: String(each.id), label: each.ramal }))}
        />
      )}
      {chosen?.registered && <Note kind="info">{t('phone.on.taken', { ramal: chosen.ramal })}</Note>}
      {switchOn.error instanceof NoMicrophone && (
        <AlertNote kind="bad">{t(`phone.microphone.${switchOn.error.why}`)}</AlertNote>
      )}
      <Button data-first loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
        {t('phone.on.action')}
      </Button>
    </>
  );
}

function NoExtension() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  return (
    <>
      <p>{t(isAdmin ? 'phone.on.noneAdmin' : 'phone.on.none')}</p>
      {isAdmin && (
        <Button variant="default" onClick={() => void navigate({ to: '/extensions' })}>
          {t('phone.on.extensions')}
        </Button>
      )}
    </>
  );
}
