import { Box, Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { StateMark } from '../../shared/availability/state-mark.tsx';
import { Detail, Since } from './detail.tsx';
import type { Teammate } from './queries.ts';
import { countStates, states } from './view.ts';
import classes from './wallboard.module.css';

/** Everyone in large type, over the whole window. Esc and its only button close it. */
export function Wallboard({ people, onClose }: { people: Teammate[]; onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const counts = countStates(people);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.wall}
      aria-label={t('team.wall')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Box component="section" className={classes.content} aria-label={t('team.wall')} tabIndex={0}>
        <ul className={classes.counts}>
          {states.map((state) => (
            <li key={state} className={classes.count}>
              <strong className={classes.number}>{counts[state]}</strong>
              <StateMark state={state} size={28} />
            </li>
          ))}
        </ul>
        <ul className={classes.people}>
          {people.map((person) => (
            <li key={person.uuid} className={classes.person} data-state={person.state}>
              <strong className={classes.name}>{person.name}</strong>
              <StateMark state={person.state} size={28} />
              <span className={classes.detail}>
                <Detail person={person} />
              </span>
              <span className={classes.detail}>
                <Since person={person} />
              </span>
            </li>
          ))}
        </ul>
        <Button variant="default" className={classes.close} onClick={onClose}>
          {t('common.close')}
        </Button>
      </Box>
    </dialog>
  );
}
