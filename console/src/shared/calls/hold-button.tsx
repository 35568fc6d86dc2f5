import { Button, type ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../layout/icons.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';
import { type Hold, NotDone } from './use-hold.ts';

/** Puts the other party on hold, or resumes the call. Stays focused while the command runs. */
export function HoldButton({ hold, size }: { hold: Hold; size?: ButtonProps['size'] }) {
  const { t } = useTranslation();
  const { isHolding, isChanging, toggle } = hold;
  return (
    <Button
      variant="default"
      {...(size && { size })}
      aria-busy={isChanging}
      leftSection={<Icon name={isHolding ? 'play' : 'pause'} size={16} />}
      onClick={toggle}
    >
      {t(isHolding ? 'calls.hold.end' : 'calls.hold.start')}
    </Button>
  );
}

/** Why the last command had no effect, and what to do. */
export function HoldProblem({ hold: { error, toggle } }: { hold: Hold }) {
  const { t } = useTranslation();
  if (!error) return null;
  const text = error instanceof NotDone ? { text: t('calls.hold.notDone') } : {};
  return <ProblemNote error={error} {...text} onRetry={toggle} />;
}
