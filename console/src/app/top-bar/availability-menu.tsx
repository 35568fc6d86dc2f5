import { Button, Menu, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { StateIcon } from '../../shared/availability/state-mark.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { useLiveEvents } from '../../shared/live/live.ts';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './availability-menu.module.css';
import { recentReasons, rememberReason } from './recent-reasons.ts';

type Availability = Session['availability'];
type Wanted = Pick<Availability, 'status' | 'reason'>;

/** The user's own availability, which calls of others obey. */
export function AvailabilityMenu() {
  const { t } = useTranslation();
  const { availability } = useSession();
  const set = useSetAvailability();
  useLiveAvailability();
  const [isAsking, setAsking] = useState(false);
  const text = useText(availability);
  const choose = (wanted: Wanted): void => set.mutate(wanted);
  return (
    <>
      <Menu position="bottom-end" width={240} withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.open} data-status={availability.status} title={text}>
            <StateIcon state={availability.status} />
            <VisuallyHidden>{`${t('team.own')}: `}</VisuallyHidden>
            <span className={classes.text}>{text}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('team.own')}</Menu.Label>
          <Item wanted={{ status: 'available', reason: null }} onChoose={choose} />
          <Item wanted={{ status: 'do_not_disturb', reason: null }} onChoose={choose} />
          <Item wanted={{ status: 'away', reason: null }} onChoose={choose} />
          {recentReasons().map((reason) => (
            <Item key={reason} wanted={{ status: 'away', reason }} onChoose={choose} />
          ))}
          <Menu.Item leftSection={<StateIcon state="away" />} onClick={() => setAsking(true)}>
            {t('team.otherReason')}
          </Menu.Item>
          <p className={classes.hint}>{t('team.hint')}</p>
        </Menu.Dropdown>
      </Menu>
      {isAsking && <ReasonDialog onClose={() => setAsking(false)} />}
      {set.isError && !isAsking && (
        <Dialog title={t('team.failed')} onClose={set.reset}>
          <ProblemNote error={set.error} />
        </Dialog>
      )}
    </>
  );
}

function Item({ wanted, onChoose }: { wanted: Wanted; onChoose: (wanted: Wanted) => void }) {
  const { availability } = useSession();
  const isCurrent = availability.status === wanted.status && availability.reason === wanted.reason;
  return (
    <Menu.Item
      leftSection={<StateIcon state={wanted.status} />}
      aria-current={isCurrent || undefined}
      data-current={isCurrent || undefined}
      className={classes.item}
      onClick={() => onChoose(wanted)}
    >
      {useText(wanted)}
    </Menu.Item>
  );
}

const longestReason = 60;

function ReasonDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const set = useSetAvailability(onClose);
  return (
    <Dialog title={t('team.states.away')} onClose={onClose}>
      <Form
        className={classes.form}
        onSubmit={(given) => set.mutate({ status: 'away', reason: given('reason').trim() || null })}
      >
        <TextInput
          name="reason"
          data-autofocus
          autoComplete="off"
          maxLength={longestReason}
          label={t('team.reason')}
          description={t('team.reasonHint')}
        />
        {set.error && <ProblemNote error={set.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={set.isPending}>
            {t('common.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function useText({ status, reason }: Wanted): string {
  const { t } = useTranslation();
  const text = t(`team.states.${status}`);
  return reason ? `${text}: ${reason}` : text;
}

function useShowAvailability() {
  const queryClient = useQueryClient();
  return (availability: Availability): void =>
    void queryClient.setQueryData<Session>(
      sessionQuery.queryKey,
      (session) => session && { ...session, availability },
    );
}

/** Follows changes from other tabs and devices. */
function useLiveAvailability(): void {
  const { user } = useSession();
  const show = useShowAvailability();
  useLiveEvents(['availability-changed'], ({ data }) => {
    const { uuid, status, reason, since } = data as unknown as Availability & { uuid: string };
    if (uuid === user.uuid) show({ status, reason, since });
  });
}

function useSetAvailability(onSet?: () => void) {
  const show = useShowAvailability();
  return useMutation({
    mutationFn: (body: Wanted) => unwrap(api.PUT('/users/me/availability', { body })),
    onSuccess: (availability) => {
      show(availability);
      if (availability.reason) rememberReason(availability.reason);
      onSet?.();
    },
  });
}
