import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, useIsAdmin, useSession } from '../../api/session.ts';
import { createExtensionFor } from '../../shared/extensions/create-for-person.ts';
import { AlertNote, Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { closeMicrophone, NoMicrophone, openMicrophone } from './engine/microphone.ts';
import { changePhoneSettings } from './settings.ts';
import { requestTakeover } from './takeover-request.ts';
import { Card } from './views/card.tsx';

/** How the user opened the phone: to read about it, or with a button that enables it. */
export interface SwitchRequest {
  /** Whether to enable it without another click, unless there is something to decide. */
  isImmediate: boolean;
  extensionId?: number | undefined;
}

/** Explains the phone and enables it in this browser. */
export function SwitchOn({ request, onClose }: { request: SwitchRequest; onClose: () => void }) {
  const { t } = useTranslation();
  const { user, extensions } = useSession();
  const isAdmin = useIsAdmin();
  const mayCreate = isAdmin && user.emailVerified;
  return (
    <Card title={t('phone.title')} takesFocus onClose={onClose}>
      {extensions.length > 0 || request.extensionId !== undefined || mayCreate ? (
        <Choose request={request} />
      ) : (
        <p>{t(isAdmin ? 'phone.on.unconfirmed' : 'phone.on.none')}</p>
      )}
    </Card>
  );
}

function Choose({ request: { isImmediate, extensionId } }: { request: SwitchRequest }) {
  const { t } = useTranslation();
  const { extensions } = useSession();
  const [id, setId] = useState(extensionId ?? extensions[0]?.id);
  const chosen = extensions.find((each) => each.id === id);
  const switchOn = useSwitchOn(id);
  const isDecided = extensionId !== undefined || extensions.length < 2;
  useOnce(isImmediate && isDecided && !chosen?.registered, switchOn.mutate);
  return (
    <>
      <p>{t(id === undefined ? 'phone.on.withExtension' : 'phone.on.text')}</p>
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
      {switchOn.error && !(switchOn.error instanceof NoMicrophone) && <ProblemNote error={switchOn.error} />}
      <Button data-first loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
        {t('phone.on.action')}
      </Button>
    </>
  );
}

/** Enables the phone for the extension, or for a new one. */
function useSwitchOn(id: number | undefined) {
  const { user, account } = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<number> => {
      // Asks for permission now, because the user may not be looking when the phone rings.
      closeMicrophone(await openMicrophone(undefined));
      const extensionId = id ?? (await createExtensionFor(user, account.name)).id;
      // The session may not know a new extension yet.
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      if (id === undefined) void queryClient.invalidateQueries({ queryKey: ['extensions'] });
      return extensionId;
    },
    onSuccess: (extensionId) => {
      requestTakeover();
      changePhoneSettings(user.uuid, { extensionId });
    },
  });
}

function useOnce(isWanted: boolean, run: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!isWanted || isDone.current) return;
    isDone.current = true;
    run();
  }, [isWanted, run]);
}
