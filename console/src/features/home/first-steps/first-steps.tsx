import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { useBrowserPhone } from '../../../shared/phone-number/browser-phone.ts';
import { StepAction } from './actions.tsx';
import classes from './first-steps.module.css';
import { areShown, firstSteps, nextStep, type Step } from './steps.ts';
import { useStepText } from './text.ts';

const hiddenKey = (userUuid: string): string => `disca-first-steps-hidden-${userUuid}`;

/** What to do until the account is in use; knows what is done. Each user can hide it in this browser. */
export function FirstSteps() {
  const { t } = useTranslation();
  const session = useSession();
  const phone = useBrowserPhone();
  const key = hiddenKey(session.user.uuid);
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null);
  const steps = firstSteps(session, phone?.extensionId);
  // The phone is loaded after the page.
  const isUnknown = !phone && steps.every(({ name, isDone }) => isDone || name === 'phone');
  if (isHidden || isUnknown || !areShown(session, steps)) return null;
  const hide = (): void => {
    localStorage.setItem(key, '1');
    setHidden(true);
  };
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = nextStep(steps);
  return (
    <Panel
      title={t('home.firstSteps.title')}
      aside={
        <span className={classes.aside}>
          <span role="status">{t('home.firstSteps.done', { done, count: steps.length })}</span>
          <Button variant="subtle" size="compact-sm" onClick={hide}>
            {t('home.firstSteps.hide')}
          </Button>
        </span>
      }
    >
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepEntry key={step.name} step={step} isNext={step.name === next} />
        ))}
      </ol>
    </Panel>
  );
}

function StepEntry({ step: { name, isDone }, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation();
  const text = useStepText(name);
  return (
    <li className={classes.step} data-step={name} data-done={isDone}>
      <span className={classes.mark}>{isDone && <Icon name="check" size={14} />}</span>
      <div className={classes.words}>
        <strong className={classes.name}>
          {t(`home.firstSteps.names.${name}`)}
          {isDone && <span className={classes.hidden}>: {t('home.firstSteps.isDone')}</span>}
        </strong>
        {!isDone && <span className={classes.text}>{text}</span>}
      </div>
      {!isDone && <StepAction name={name} isNext={isNext} />}
    </li>
  );
}
