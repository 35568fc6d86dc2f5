import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { ConfirmDialog } from '../../shared/layout/confirm-dialog.tsx';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ListWithDetails } from '../../shared/layout/list-with-details.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import classes from './people.module.css';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { usersQuery } from './queries.ts';
import { ResetFactorsDialog } from './reset-factors-dialog.tsx';
import { UserDetails, type UserTask } from './user-details.tsx';
import { UserList } from './user-list.tsx';
import { matches, type PeopleView, validateSearch } from './view.ts';

export function Users() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/people' });
  const view = validateSearch(search);
  const navigate = useNavigate();
  const change = (next: PeopleView): void =>
    void navigate({ to: '/people', search: next, resetScroll: false, replace: true });
  const [task, setTask] = useState<UserTask>();
  const { data, isPending, error, refetch } = useQuery(usersQuery);
  const users = data?.users ?? [];
  const shown = users.filter((user) => matches(user, view));
  const open = users.find(({ uuid }) => uuid === view.person);
  const { person: _, ...closed } = view;
  return (
    <>
      <Filters view={view} onChange={change} />
      <ListWithDetails
        title={open?.name ?? ''}
        details={open && <UserDetails user={open} onTask={setTask} />}
        isCovered={task !== undefined}
        onClose={() => change(closed)}
      >
        <div className={classes.frame}>
          {isPending && <RowSkeletons rows={4} columns={['3fr', '4fr', '1fr']} height={56} />}
          {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
          {data && shown.length > 0 && (
            <p className={classes.count} role="status">
              {shown.length === data.total
                ? t('people.count', { count: data.total })
                : t('people.countOf', { count: data.total, shown: shown.length })}
            </p>
          )}
          {shown.length > 0 && <UserList users={shown} view={view} />}
          {data && shown.length === 0 && (
            <EmptyState
              icon="search"
              text={t('people.nothingFound')}
              action={
                <Button variant="default" onClick={() => change({})}>
                  {t('common.showAll')}
                </Button>
              }
            />
          )}
        </div>
      </ListWithDetails>
      {open && task === 'edit' && (
        <EditUserDialog key={open.uuid} user={open} onClose={() => setTask(undefined)} />
      )}
      {open && task === 'permissions' && (
        <PermissionsDialog key={open.uuid} user={open} onClose={() => setTask(undefined)} />
      )}
      {open && task === 'resetFactors' && (
        <ResetFactorsDialog user={open} onClose={() => setTask(undefined)} />
      )}
      {open && task === 'remove' && (
        <ConfirmDialog
          title={t('people.remove.title', { name: open.name })}
          actionText={t('people.remove.submit')}
          action={() => unwrap(api.DELETE('/users/{uuid}', { params: { path: { uuid: open.uuid } } }))}
          onDone={() => {
            void refetch();
            change(closed);
          }}
          onClose={() => setTask(undefined)}
        >
          <p className={classes.text}>{t('people.remove.text', { name: open.name })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Filters({ view, onChange }: { view: PeopleView; onChange: (view: PeopleView) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(view.find ?? '');
  const { find: _find, ...everything } = view;
  const { role: _role, ...everybody } = view;
  return (
    <div className={classes.filters}>
      <search className={classes.find}>
        <TextInput
          type="search"
          aria-label={t('people.find')}
          placeholder={t('people.find')}
          leftSection={<Icon name="search" size={16} />}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            onChange(value.trim() === '' ? everything : { ...view, find: value.trim() });
          }}
        />
      </search>
      <NativeSelect
        aria-label={t('people.columns.role')}
        value={view.role ?? ''}
        data={[
          { value: '', label: t('people.anyRole') },
          { value: 'ADMIN', label: t('common.roles.ADMIN') },
          { value: 'USER', label: t('common.roles.USER') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'ADMIN' || value === 'USER' ? { ...view, role: value } : everybody)
        }
      />
    </div>
  );
}
