import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from '../integrations.module.css';

const steps = ['address', 'events', 'secret', 'test'] as const;

export function StepList({ current }: { current: number }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.steps} aria-label={t('integrations.wizard.steps')}>
      {steps.map((step, number) => (
        <li
          key={step}
          className={classes.step}
          data-done={number < current}
          aria-current={number === current ? 'step' : undefined}
        >
          <span className={classes.stepMark}>
            {number < current ? <Icon name="check" size={14} /> : number + 1}
          </span>
          {t(`integrations.wizard.${step}.name`)}
        </li>
      ))}
    </ol>
  );
}
