import { useMediaQuery } from '@mantine/hooks';
import { createLazyRoute, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Page } from '../../shared/layout/page.tsx';
import { useToday } from '../../shared/time/use-today.ts';
import { ExportButton } from './export/export-button.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { OutcomeChips } from './filter/outcome-chips.tsx';
import { toWhere } from './filter/where.ts';
import classes from './page.module.css';
import type { ListFilter } from './queries.ts';
import { SaveView } from './saved/save-view.tsx';
import { SavedList } from './saved/saved-list.tsx';
import { useSavedViews } from './saved/use-saved-views.ts';
import { CallTable } from './table/call-table.tsx';
import { type CallsView, parseView, toSearch } from './view.ts';

const CallAside = lazy(() =>
  import('./details/call-side-panel.tsx').then((module) => ({ default: module.CallSidePanel })),
);

/** On narrower screens a call opens as a separate page. */
const wideScreen = '(min-width: 1200px)';

function CallsPage() {
  const { t } = useTranslation();
  const { account } = useSession();
  const saved = useSavedViews();
  const search = useSearch({ from: '/shell/calls' });
  const navigate = useNavigate();
  const view = useMemo(() => parseView(search), [search]);
  const isWide = useMediaQuery(wideScreen, undefined, { getInitialValueInEffect: false });
  const change = (next: CallsView): void =>
    void navigate({ to: '/calls', search: toSearch(next), resetScroll: false });
  const open = useCallback(
    (id: string | undefined): void => {
      const { call: _, ...rest } = parseView(search);
      if (id !== undefined && !isWide) void navigate({ to: '/calls/$id', params: { id } });
      else
        void navigate({
          to: '/calls',
          search: toSearch({ ...rest, ...(id !== undefined && { call: id }) }),
          resetScroll: false,
          replace: view.call !== undefined,
        });
    },
    [navigate, search, isWide, view.call],
  );
  // The open call does not affect the list, so it is excluded from the query key.
  const listed = JSON.stringify({ ...view, call: undefined });
  const today = useToday();
  const countedFrom = view.period && today;
  const filter = useMemo<ListFilter>(() => {
    const asked = JSON.parse(listed) as CallsView;
    return { q: asked.q, where: toWhere(asked, account.timezone, countedFrom), order: asked.order };
  }, [listed, account.timezone, countedFrom]);
  if (view.call && !isWide) return <Navigate to="/calls/$id" params={{ id: view.call }} replace />;
  return (
    <Page title={t('shell.calls')} actions={<ExportButton filter={filter} />}>
      <SavedList view={view} saved={saved} onOpen={change} />
      <OutcomeChips view={view} onChange={change} />
      <FilterBar view={view} onChange={change}>
        <SaveView view={view} saved={saved} />
      </FilterBar>
      <div className={classes.split} data-open={view.call !== undefined}>
        <CallTable
          filter={filter}
          openId={view.call}
          onOpen={open}
          isFiltered={
            view.q !== undefined ||
            view.filters.length > 0 ||
            view.outcome !== undefined ||
            listed.includes('"period"') ||
            listed.includes('"since"')
          }
          onOrder={() => change({ ...view, order: view.order === 'oldest' ? undefined : 'oldest' })}
          onClear={() => change({ filters: [] })}
        />
        {view.call && (
          <Suspense>
            <CallAside key={view.call} id={view.call} onClose={() => open(undefined)} />
          </Suspense>
        )}
      </div>
    </Page>
  );
}

export const page = createLazyRoute('/shell/calls')({ component: CallsPage });
