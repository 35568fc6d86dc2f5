import { ActionIcon } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { onBeforeLogout } from '../../shared/before-logout.ts';
import { useHold } from '../../shared/calls/use-hold.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useStoredNote } from '../../shared/notes/stored-note.ts';
import { type BrowserPhone, useProvideBrowserPhone } from '../../shared/phone-number/browser-phone.ts';
import { useProvideDialing } from '../../shared/phone-number/dialing.ts';
import { useRingAlert } from './ring-alert.ts';
import { changePhoneSettings } from './settings.ts';
import {
  type CallSnapshot,
  joinTabs,
  type LiveCallKind,
  localEngine,
  sendCommand,
  usePhoneState,
} from './tabs.ts';
import { requestTakeover, takeTakeoverRequest } from './takeover-request.ts';
import { useTypedKeys } from './typed-keys.ts';
import { CallView } from './views/call-view.tsx';
import { Card } from './views/card.tsx';
import { ClosedPhone } from './views/closed-phone.tsx';
import { DialView } from './views/dial-view.tsx';
import { LineBadge } from './views/line-badge.tsx';
import { OptionsView } from './views/options-view.tsx';

type Extension = Session['extensions'][number];

/** The phone while it is enabled: a button when closed, a card when open. */
export function ActivePhone({ extension }: { extension: Extension }) {
  const { t } = useTranslation();
  const [isJustEnabled] = useState(takeTakeoverRequest);
  usePhone(extension, isJustEnabled);
  const { call, ended, line } = usePhoneState();
  // Read before the call ends, so that the wrap-up shows it at once.
  useStoredNote(call?.id ?? ended?.id);
  const [view, setView] = useState<'closed' | 'phone' | 'options'>(isJustEnabled ? 'phone' : 'closed');
  const [isOpener, setIsOpener] = useState(isJustEnabled);
  useRingAlert(call);
  const isTalking = call?.stage === 'talking';
  useTypedKeys(isTalking);
  const hold = useHold(call?.id, isTalking);
  const hasFailed = hold.error !== null;
  const isCalling = call !== undefined;
  // Opens on every call, and for an error.
  useEffect(() => {
    if (isCalling || hasFailed) setView('phone');
  }, [isCalling, hasFailed]);
  const open = (): void => {
    setIsOpener(true);
    setView('phone');
  };
  const close = (): void => {
    setIsOpener(false);
    setView('closed');
  };
  if (view === 'closed') return <ClosedPhone extension={extension} hold={hold} onOpen={open} />;
  const isOptions = view === 'options';
  return (
    <Card
      title={t('phone.extension', { ramal: extension.ramal })}
      state={<LineBadge line={line} />}
      takesFocus={isOpener}
      onClose={close}
      actions={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t(isOptions ? 'phone.back' : 'phone.options')}
          aria-pressed={isOptions}
          onClick={() => setView(isOptions ? 'phone' : 'options')}
        >
          <Icon name={isOptions ? 'left' : 'settings'} />
        </ActionIcon>
      }
    >
      {isOptions && <OptionsView />}
      {!isOptions && (call ? <CallView call={call} hold={hold} /> : <DialView ramal={extension.ramal} />)}
    </Card>
  );
}

const freshMs = 2_000;
const requestValidMs = 15_000;
const loadMs = 5_000;
const leadershipDelayMs = 1_500;

const kinds: Record<string, LiveCallKind> = {
  'channel-create': 'began',
  'channel-alerting': 'alerting',
  'channel-answer': 'answered',
  'channel-hangup': 'ended',
};

/** Runs the phone in one tab of this browser, and offers click-to-dial while the line is ready. */
function usePhone({ id, ramal }: Extension, isJustEnabled: boolean): void {
  const { user } = useSession();
  const { line, call } = usePhoneState();
  const queryClient = useQueryClient();
  // The click and the cached registration state are valid for a short time only.
  const requestedAtMs = useRef(isJustEnabled ? Date.now() : 0);
  // If the phone was enabled in another tab, that tab becomes the leader first.
  const waitMs = useRef(isJustEnabled || performance.now() < loadMs ? 0 : leadershipDelayMs);
  useEffect(
    () =>
      joinTabs(
        `disca-phone-${user.uuid}-${id}`,
        async (update) => {
          const { PhoneEngine } = await import('./engine/engine.ts');
          const session = queryClient.getQueryState(sessionQuery.queryKey);
          const seen = session?.data?.extensions.find((each) => each.id === id)?.registered;
          const isFresh = Date.now() - (session?.dataUpdatedAt ?? 0) < freshMs;
          const isRequested = Date.now() - requestedAtMs.current < requestValidMs;
          const isRegisteredElsewhere = isRequested ? null : isFresh ? seen : undefined;
          requestedAtMs.current = 0;
          return new PhoneEngine({
            userUuid: user.uuid,
            extensionId: id,
            ramal,
            isRegisteredElsewhere,
            update,
          });
        },
        waitMs.current,
      ),
    [user.uuid, id, ramal, queryClient],
  );
  useEffect(
    () =>
      onBeforeLogout({
        beforeLogout: async () => await localEngine()?.release(),
        onLogoutFailed: () => localEngine()?.resume(),
      }),
    [],
  );
  useLiveEvents(Object.keys(kinds), ({ type, data }) => {
    const kind = kinds[type];
    if (kind) localEngine()?.onLiveCall(kind, data as unknown as CallSnapshot);
  });
  const isCalling = call !== undefined;
  const phone = useMemo<BrowserPhone>(
    () => ({
      extensionId: id,
      isCalling,
      switchOn(extensionId = id) {
        requestTakeover();
        changePhoneSettings(user.uuid, { extensionId });
      },
    }),
    [user.uuid, id, isCalling],
  );
  useProvideBrowserPhone(phone);
  const dial = useCallback((number: string) => sendCommand({ do: 'dial', number }), []);
  useProvideDialing(line === 'ready' && !call ? dial : undefined);
}
