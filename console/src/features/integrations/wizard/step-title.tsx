import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../integrations.module.css';

/** Title of a step. Receives the focus, so that screen readers announce the new step. */
export function StepTitle({ step }: { step: 'address' | 'events' | 'secret' | 'test' }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step !== 'address') heading.current?.focus();
  }, [step]);
  return (
    <div className={classes.stepTitle}>
      <Title order={2} ref={heading} tabIndex={-1}>
        {t(`integrations.wizard.${step}.title`)}
      </Title>
      <p className={classes.hint}>{t(`integrations.wizard.${step}.lead`)}</p>
    </div>
  );
}
