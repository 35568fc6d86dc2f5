import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { apiPath } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { Page, Panel } from '../../shared/layout/page.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Filters } from './filters.tsx';
import { requestsQuery } from './queries.ts';
import { RequestEntry } from './request-entry.tsx';
import classes from './requests.module.css';
import type { RequestsView } from './view.ts';

/** More are found with the filters. */
const maxPages = 20;

const curl = (): string => `curl ${location.origin}${apiPath}/requests -H "Authorization: Bearer $TOKEN"`;

function RequestsPage() {
  const { t } = useTranslation();
  const { user } = useSession();
  const { number } = useFormats();
  const view = useSearch({ from: '/shell/requests' });
  const navigate = useNavigate();
  const query = useInfiniteQuery(requestsQuery(view));
  const change = (next: RequestsView): void =>
    void navigate({ to: '/requests', search: next, resetScroll: false });
  const pages = query.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.rows);
  const unlisted = pages[0]?.unlistedCount ?? 0;
  const isFiltered = view.show !== undefined || view.request !== undefined;
  return (
    <Page title={t('shell.requests')} actions={<RefreshButton query={query} />}>
      <p className={classes.lead}>{t(user.role === 'ADMIN' ? 'requests.leadAdmin' : 'requests.lead')}</p>
      <Panel>
        <Filters view={view} onChange={change} />
        {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <RowSkeletons rows={6} columns={['1fr', '4fr', '2fr']} />}
        {unlisted > 0 && (
          <Note kind="info">{t('requests.unlisted', { count: unlisted, requests: number(unlisted) })}</Note>
        )}
        {query.data && rows.length === 0 && (
          <EmptyState
            icon="requests"
            text={t(isFiltered ? 'requests.noMatch' : 'requests.empty')}
            {...(isFiltered
              ? {
                  action: (
                    <Button variant="default" onClick={() => change({})}>
                      {t('common.showAll')}
                    </Button>
                  ),
                }
              : { curl: curl() })}
          />
        )}
        {rows.length > 0 && (
          <ul className={classes.list} aria-label={t('shell.requests')}>
            {rows.map((request) => (
              <RequestEntry key={request.id} request={request} />
            ))}
          </ul>
        )}
        {query.hasNextPage && pages.length < maxPages && (
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('requests.more')}
          </Button>
        )}
        {query.hasNextPage && pages.length >= maxPages && <Note kind="info">{t('requests.tooLong')}</Note>}
      </Panel>
    </Page>
  );
}

function RefreshButton({ query }: { query: { isFetching: boolean; refetch(): unknown } }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size={16} />}
      onClick={() => void query.refetch()}
    >
      {t('requests.refresh')}
    </Button>
  );
}

export const page = createLazyRoute('/shell/requests')({ component: RequestsPage });
