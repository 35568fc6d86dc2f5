import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './integrations.module.css';
import type { Health } from './queries.ts';

const icons = {
  working: 'check',
  waiting: 'clock',
  failing: 'warning',
  disabled: 'cross',
  off: 'pause',
} as const;

export function HealthState({ state }: { state: Health['state'] }) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-state={state}>
      <Icon name={icons[state]} size={14} />
      {t(`integrations.states.${state}`)}
    </span>
  );
}
