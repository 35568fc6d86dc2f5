import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { Page, Panel } from '../../shared/layout/page.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './audit.module.css';
import { Entry, EntrySkeletons } from './entry.tsx';
import { Filters } from './filters.tsx';
import { auditQuery } from './queries.ts';
import type { AuditView } from './view.ts';

function AuditPage() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('shell.audit')}
      actions={
        <Link to="/settings" className={classes.back}>
          <Icon name="left" size={16} />
          {t('shell.settings')}
        </Link>
      }
    >
      {useIsAdmin() ? <Changes /> : <Note kind="info">{t('audit.adminsOnly')}</Note>}
    </Page>
  );
}

function Changes() {
  const { t } = useTranslation();
  const view = useSearch({ from: '/shell/audit' });
  const navigate = useNavigate();
  const query = useInfiniteQuery(auditQuery(view));
  const change = (next: AuditView): void => void navigate({ to: '/audit', search: next, resetScroll: false });
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <p className={classes.lead}>{t('audit.lead')}</p>
      <Panel>
        <Filters view={view} onChange={change} />
        {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <EntrySkeletons />}
        {query.data && rows.length === 0 && (
          <EmptyState
            icon="search"
            text={t('audit.noMatch')}
            action={
              <Button variant="default" onClick={() => change({})}>
                {t('calls.filters.clear')}
              </Button>
            }
          />
        )}
        {rows.length > 0 && (
          <ul className={classes.list} aria-label={t('shell.audit')}>
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {query.hasNextPage && (
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('requests.more')}
          </Button>
        )}
      </Panel>
    </>
  );
}

export const page = createLazyRoute('/shell/audit')({ component: AuditPage });
