import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { retryTimeOf } from '../../api/rate-limit.ts';
import { Copy } from '../forms/copy-button.tsx';
import { Icon } from '../layout/icons.tsx';
import { useSecondsUntil } from '../time/use-seconds-until.ts';
import classes from './note.module.css';
import { explainProblem, problemDetails } from './problem-text.ts';
import { RemedyLink } from './remedy-link.tsx';

interface ProblemNoteProps {
  error: unknown;
  text?: string;
  onRetry?: () => void;
}

/** Shows an error message with its code and request id to copy, or when a query over a limit is sent again. */
export function ProblemNote(props: ProblemNoteProps) {
  const retryAt = retryTimeOf(props.error);
  return retryAt === undefined ? <Failure {...props} /> : <RetryNote retryAt={retryAt} />;
}

/** Counts down to the next request. Screen readers announce the note once. */
function RetryNote({ retryAt }: { retryAt: number }) {
  const { t } = useTranslation();
  const count = useSecondsUntil(retryAt);
  return (
    <StatusNote kind="live">
      <p className={classes.text}>
        {t('problems.codes.RATE_LIMITED')}{' '}
        <span aria-hidden="true">
          {count > 0 ? t('problems.retryIn', { count }) : t('problems.retrying')}
        </span>
      </p>
    </StatusNote>
  );
}

function Failure({ error, text, onRetry }: ProblemNoteProps) {
  const { t } = useTranslation();
  return (
    <AlertNote kind="bad">
      <p className={classes.text}>{text ?? explainProblem(t, error)}</p>
      {isProblem(error) && error.code !== 'UNREACHABLE' && (
        <p className={classes.details}>
          <code>{error.code}</code>
          {error.requestId && <code title={error.requestId}>{error.requestId.slice(0, 8)}</code>}
          <Copy value={problemDetails(error)} label={t('problems.details')} />
        </p>
      )}
      <RemedyLink error={error} />
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </AlertNote>
  );
}

const icons = { good: 'check', bad: 'warning', live: 'warning', info: 'info' } as const;

interface NoteProps {
  kind: keyof typeof icons;
  children: ReactNode;
}

/** A note about the result of an action, announced by screen readers. */
export const StatusNote = (props: NoteProps) => <Note {...props} role="status" />;

/** A note about a problem, announced by screen readers immediately. */
export const AlertNote = (props: NoteProps) => <Note {...props} role="alert" />;

export function Note({ kind, role, children }: NoteProps & { role?: 'alert' | 'status' }) {
  return (
    <div
      className={classes.note}
      data-kind={kind}
      data-appears="in"
      role={role}
      // Forms move the focus to their error message.
      tabIndex={role === 'alert' ? -1 : undefined}
    >
      <span className={classes.icon}>
        <Icon name={icons[kind]} />
      </span>
      <div className={classes.body}>{children}</div>
    </div>
  );
}
