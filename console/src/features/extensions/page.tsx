import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, useIsAdmin, useSession } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { ListWithDetails } from '../../shared/layout/list-with-details.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { usePageAction } from '../../shared/layout/page-action.ts';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Details } from './details.tsx';
import { ExtensionList } from './extension-list.tsx';
import { Filters } from './filters.tsx';
import classes from './list.module.css';
import { NoExtensions } from './no-extensions.tsx';
import { type Extension, extensionByRamalQuery, extensionsQuery, presenceQuery } from './queries.ts';
import { type Task, Tasks } from './tasks.tsx';
import {
  byRamal,
  clearedFilters,
  type ExtensionsView,
  matches,
  parseView,
  toSearch,
  type ViewChange,
} from './view.ts';

function ExtensionsPage() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { view, change } = useView();
  const isAdmin = useIsAdmin();
  const [task, setTask] = useState<Task>();
  usePageAction('new', () => isAdmin && setTask({ kind: 'new' }));
  const list = useInfiniteQuery(extensionsQuery);
  useQuery(presenceQuery);
  const all = useMemo(() => list.data?.pages.flatMap(({ rows }) => rows) ?? [], [list.data]);
  const shown = useFilteredExtensions(all, view);
  const open = useOpenExtension(all, view.ramal, list.isSuccess);
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['extensions'] });
    void queryClient.invalidateQueries({ queryKey: ['palette', 'extensions'] });
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  return (
    <Page title={t('shell.extensions')} actions={<Actions onTask={setTask} />}>
      {(all.length > 0 || list.isPending) && <Filters view={view} onChange={change} />}
      <ListWithDetails
        title={t('extensions.details.title', { ramal: view.ramal })}
        details={open && <Details extension={open} onTask={(kind) => setTask({ kind, extension: open })} />}
        isCovered={task !== undefined}
        onClose={() => change({ ramal: undefined })}
      >
        <div className={classes.frame}>
          {list.isPending && <RowSkeletons rows={7} columns={['1fr', '3fr', '2fr']} height={56} />}
          {list.error && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
          {shown.length > 0 && <Head shown={shown} total={list.data?.pages[0]?.total ?? 0} />}
          {shown.length > 0 && <ExtensionList extensions={shown} view={view} />}
          {list.isSuccess && shown.length === 0 && (
            <NoExtensions
              isEmpty={all.length === 0}
              onCreate={() => setTask({ kind: 'new' })}
              onClear={() => change({ ...clearedFilters, ...(!isAdmin && { whose: 'all' }) })}
            />
          )}
          {list.hasNextPage && (
            <div className={classes.more}>
              <Button
                variant="default"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                {t('extensions.more')}
              </Button>
            </div>
          )}
        </div>
      </ListWithDetails>
      <Tasks
        task={task}
        onTask={setTask}
        onChanged={(next) => {
          refresh();
          if (next !== undefined) change({ ramal: next ?? undefined });
        }}
      />
    </Page>
  );
}

function useView(): { view: ExtensionsView; change: (changed: ViewChange) => void } {
  const search = useSearch({ from: '/shell/extensions' });
  const navigate = useNavigate();
  const view = useMemo(() => parseView(search), [search]);
  // Based on the latest URL: two changes may occur before either is rendered.
  const change = (changed: ViewChange): void =>
    void navigate({
      to: '/extensions',
      search: (now) => toSearch({ ...parseView(now), ...changed }),
      resetScroll: false,
      replace: true,
    });
  return { view, change };
}

/** Applies the filters. All users can see every extension, but non-ADMINs see their own by default. */
function useFilteredExtensions(all: Extension[], view: ExtensionsView): Extension[] {
  const isAdmin = useIsAdmin();
  const { user } = useSession();
  return useMemo(() => {
    const isWanted = (extension: Extension): boolean =>
      isAdmin || view.whose === 'all' || extension.user?.uuid === user.uuid;
    return all.filter((each) => isWanted(each) && matches(each, view)).sort(byRamal);
  }, [all, view, isAdmin, user.uuid]);
}

/** Returns the extension in the URL, which may not be loaded yet in a long list. */
function useOpenExtension(
  all: Extension[],
  ramal: string | undefined,
  isRead: boolean,
): Extension | undefined {
  const listed = all.find((each) => each.ramal === ramal);
  const isAsked = ramal !== undefined && isRead && !listed;
  const { data } = useQuery({ ...extensionByRamalQuery(ramal ?? ''), enabled: isAsked });
  return ramal === undefined ? undefined : (listed ?? data ?? undefined);
}

function Head({ shown, total }: { shown: Extension[]; total: number }) {
  const { t } = useTranslation();
  const registered = shown.filter((each) => each.registered).length;
  return (
    <div className={classes.head} role="status">
      <span>
        {shown.length === total
          ? t('extensions.count', { count: total })
          : t('extensions.countOf', { count: total, shown: shown.length })}
      </span>
      <span>{t('extensions.registeredCount', { count: registered })}</span>
    </div>
  );
}

function Actions({ onTask }: { onTask: (task: Task) => void }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  if (!isAdmin) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="upload" size={16} />}
        onClick={() => onTask({ kind: 'import' })}
      >
        {t('extensions.import.open')}
      </Button>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => onTask({ kind: 'new' })}>
        {t('extensions.form.open')}
      </Button>
    </>
  );
}

export const page = createLazyRoute('/shell/extensions')({ component: ExtensionsPage });
