import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateMark } from '../../shared/availability/state-mark.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Detail, Since } from './detail.tsx';
import { type Teammate, teamQuery, useLiveTeam } from './queries.ts';
import classes from './team.module.css';
import { countStates, sorted, states } from './view.ts';
import { Wallboard } from './wallboard.tsx';

function TeamPage() {
  const { t, i18n } = useTranslation();
  const { wall } = useSearch({ from: '/shell/team' });
  const navigate = useNavigate();
  const team = useQuery(teamQuery);
  useLiveTeam();
  const people = sorted(team.data ?? [], i18n.language);
  const show = (isWall: boolean): void =>
    void navigate({ to: '/team', search: isWall ? { wall: true } : {} });
  return (
    <Page
      title={t('shell.team')}
      actions={
        <Button variant="default" onClick={() => show(true)}>
          {t('team.wall')}
        </Button>
      }
    >
      {team.error && <ProblemNote error={team.error} onRetry={() => void team.refetch()} />}
      {team.data && <Counts people={people} />}
      {team.data && <People people={people} />}
      {wall && <Wallboard people={people} onClose={() => show(false)} />}
    </Page>
  );
}

function Counts({ people }: { people: Teammate[] }) {
  const counts = countStates(people);
  return (
    <ul className={classes.counts}>
      {states.map((state) => (
        <li key={state} className={classes.count}>
          <StateMark state={state} />
          <strong className={classes.number}>{counts[state]}</strong>
        </li>
      ))}
    </ul>
  );
}

const columns = ['name', 'state', 'detail', 'since'] as const;

function People({ people }: { people: Teammate[] }) {
  const { t } = useTranslation();
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={t('shell.team')}>
        <thead className={classes.names}>
          <tr className={classes.columns}>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`team.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.uuid} className={classes.line}>
              <td className={classes.person}>
                <strong>{person.name}</strong>
                <span className={classes.extensions}>{person.extensions.join(', ')}</span>
              </td>
              <td className={classes.state}>
                <StateMark state={person.state} />
              </td>
              <td className={classes.detail}>
                <Detail person={person} />
              </td>
              <td className={classes.since}>
                <Since person={person} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const page = createLazyRoute('/shell/team')({ component: TeamPage });
