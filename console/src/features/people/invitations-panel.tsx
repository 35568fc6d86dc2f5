import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { ConfirmDialog } from '../../shared/layout/confirm-dialog.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { type Invitation, invitationsQuery } from './queries.ts';

/** The invitations that were not accepted, for ADMINs; nothing if there are none. */
export function InvitationsPanel() {
  const { t } = useTranslation();
  const { data = [], error, refetch } = useQuery(invitationsQuery);
  const [revoked, setRevoked] = useState<Invitation>();
  const resend = useMutation({
    mutationFn: ({ uuid }: Invitation) =>
      unwrap(api.POST('/users/invitations/{uuid}/resend', { params: { path: { uuid } }, body: {} })),
    onSettled: () => refetch(),
  });
  if (!error && data.length === 0) return null;
  return (
    <Panel title={t('people.invitations.title')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {resend.error && <ProblemNote error={resend.error} />}
      {resend.isSuccess && (
        <StatusNote kind="good">{t('people.invitations.resent', { email: resend.data.email })}</StatusNote>
      )}
      <ul className={classes.tokens} aria-label={t('people.invitations.title')}>
        {data.map((invitation) => (
          <Line
            key={invitation.uuid}
            invitation={invitation}
            isResending={resend.isPending && resend.variables.uuid === invitation.uuid}
            onResend={() => resend.mutate(invitation)}
            onRevoke={() => setRevoked(invitation)}
          />
        ))}
      </ul>
      {revoked && (
        <ConfirmDialog
          title={t('people.invitations.revokeTitle', { email: revoked.email })}
          actionText={t('people.invitations.revokeSubmit')}
          action={() => revoke(revoked)}
          onDone={() => void refetch()}
          onClose={() => setRevoked(undefined)}
        >
          <p className={classes.text}>{t('people.invitations.revokeText')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Line({
  invitation,
  isResending,
  onResend,
  onRevoke,
}: {
  invitation: Invitation;
  isResending: boolean;
  onResend: () => void;
  onRevoke: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { name, email, role, expiresAt } = invitation;
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <li className={classes.invitation}>
      <span className={classes.tokenName}>
        {name || email}
        {name && <span className={classes.limit}>{email}</span>}
      </span>
      <span className={classes.quiet}>{t(`common.roles.${role}`)}</span>
      <span className={classes.quiet}>
        {isExpired
          ? t('people.invitations.expired')
          : t('people.invitations.expires', { at: formats.shortTime(expiresAt) })}
      </span>
      <span className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          loading={isResending}
          aria-label={t('people.invitations.resendOne', { email })}
          onClick={onResend}
        >
          {t('people.invitations.resend')}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={t('people.invitations.revokeOne', { email })}
          onClick={onRevoke}
        >
          {t('people.invitations.revoke')}
        </Button>
      </span>
    </li>
  );
}

const revoke = ({ uuid }: Invitation) =>
  unwrap(api.DELETE('/users/invitations/{uuid}', { params: { path: { uuid } } }));
