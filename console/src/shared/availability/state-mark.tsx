import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { Icon, type IconName } from '../layout/icons.tsx';
import classes from './state-mark.module.css';

export type State = Answer<'/availability'>['data'][number]['state'];

const icons: Record<State, IconName> = {
  available: 'check',
  in_call: 'live',
  away: 'clock',
  do_not_disturb: 'barred',
  offline: 'offline',
};

/** Icon in the colour of the state; the text is beside it. */
export function StateIcon({ state, size = 16 }: { state: State; size?: number }) {
  return (
    <span className={classes.mark} data-state={state}>
      <Icon name={icons[state]} size={size} />
    </span>
  );
}

/** State with its text. */
export function StateMark({ state, size }: { state: State; size?: number }) {
  const { t } = useTranslation();
  return (
    <span className={classes.mark} data-state={state}>
      <Icon name={icons[state]} {...(size && { size })} />
      {t(`team.states.${state}`)}
    </span>
  );
}
