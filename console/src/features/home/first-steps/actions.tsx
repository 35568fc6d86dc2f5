import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { sessionQuery, useIsAdmin, useSession } from '../../../api/session.ts';
import { type BrowserPhone, useBrowserPhone } from '../../../shared/phone-number/browser-phone.ts';
import { useDial } from '../../../shared/phone-number/dialing.ts';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from './first-steps.module.css';
import type { StepName } from './steps.ts';
import { useFirstNumber } from './text.ts';

/** The credit that a test account gets with one click. */
const testReais = 10;

/** The button that does the step. */
export function StepAction({ name, isNext }: { name: StepName; isNext: boolean }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const isAdmin = useIsAdmin();
  const variant = isNext ? 'filled' : 'default';
  switch (name) {
    case 'email':
      return <ResendLink />;
    case 'credit':
      if (account.mode === 'test') return <AddTestCredit variant={variant} />;
      return (
        <Button size="xs" variant={variant} component={Link} to="/credit">
          {t('home.firstSteps.actions.credit.live')}
        </Button>
      );
    case 'extension':
      return isAdmin && <Link to="/extensions">{t('home.firstSteps.actions.extension')}</Link>;
    case 'phone':
      return <UseBrowser variant={variant} />;
    case 'call':
      return <CallNow variant={variant} />;
    case 'webhook':
      return (
        <Button size="xs" variant={variant} component={Link} to="/integrations/new">
          {t('home.firstSteps.actions.webhook')}
        </Button>
      );
    case 'live':
      return <RequestLive />;
  }
}

type Variant = 'filled' | 'default';

function UseBrowser({ variant }: { variant: Variant }) {
  const { t } = useTranslation();
  const { extensions, user } = useSession();
  const isAdmin = useIsAdmin();
  const phone = useBrowserPhone();
  const hasExtension = extensions.length > 0 || (isAdmin && user.emailVerified);
  return (
    <Button size="xs" variant={variant} disabled={!phone || !hasExtension} onClick={() => phone?.switchOn()}>
      {t('home.firstSteps.actions.phone')}
    </Button>
  );
}

function CallNow({ variant }: { variant: Variant }) {
  const { t } = useTranslation();
  const dial = useDial();
  const number = useFirstNumber();
  const phone = useBrowserPhone();
  const { extensions } = useSession();
  const reasonId = useId();
  // Nothing is known until the phone has loaded.
  const reason = dial || !phone ? undefined : whyNoCall(phone, extensions.length > 0);
  return (
    <div className={classes.action}>
      <Button
        size="xs"
        variant={variant}
        disabled={!dial}
        aria-describedby={reason && reasonId}
        onClick={() => dial?.(number)}
      >
        {t('home.firstSteps.actions.call')}
      </Button>
      {reason && (
        <span id={reasonId} className={classes.reason}>
          {t(`home.firstSteps.noCall.${reason}`)}
        </span>
      )}
    </div>
  );
}

const whyNoCall = ({ extensionId, isCalling }: BrowserPhone, hasExtension: boolean) => {
  if (!hasExtension || extensionId === null) return 'phone';
  return isCalling ? 'calling' : 'connecting';
};

function ResendLink() {
  const { t } = useTranslation();
  const { email } = useSession().user;
  const resend = useMutation({
    mutationFn: () => unwrap(api.POST('/accounts/signup/resend', { body: { email } })),
  });
  if (resend.isSuccess) return <StatusNote kind="good">{t('home.firstSteps.resent')}</StatusNote>;
  return (
    <Action
      text={t('home.firstSteps.actions.email')}
      variant="filled"
      error={resend.error}
      isPending={resend.isPending}
      onClick={() => resend.mutate()}
    />
  );
}

function AddTestCredit({ variant }: { variant: Variant }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: () => unwrap(api.POST('/sandbox/credit', { body: { available: testReais } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Action
      text={t('home.firstSteps.actions.credit.test')}
      variant={variant}
      error={add.error}
      isPending={add.isPending}
      onClick={() => add.mutate()}
    />
  );
}

function RequestLive() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: () => unwrap(api.POST('/accounts/live-request', {})),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Action
      text={t('home.firstSteps.actions.live')}
      variant="default"
      error={request.error}
      isPending={request.isPending}
      onClick={() => request.mutate()}
    />
  );
}

function Action({
  text,
  variant,
  error,
  isPending,
  onClick,
}: {
  text: string;
  variant: Variant;
  error: unknown;
  isPending: boolean;
  onClick: () => void;
}) {
  return (
    <div className={classes.action}>
      <Button size="xs" variant={variant} loading={isPending} onClick={onClick}>
        {text}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
