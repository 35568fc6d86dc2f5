import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { type Contact, refreshContacts } from '../../shared/contacts/queries.ts';
import { SearchField } from '../../shared/forms/search-field.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ListWithDetails } from '../../shared/layout/list-with-details.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { usePageAction } from '../../shared/layout/page-action.ts';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { ContactDetails } from './contact-details.tsx';
import { ContactList } from './contact-list.tsx';
import classes from './contacts.module.css';
import { NoContacts } from './no-contacts.tsx';
import { contactQuery, contactsQuery, maxPages } from './queries.ts';
import { type Task, Tasks } from './tasks.tsx';
import { type ContactsView, maxSearchLength, parseView, toSearch, type ViewChange } from './view.ts';

function ContactsPage() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isAdmin = useIsAdmin();
  const { view, change } = useView();
  const [task, setTask] = useState<Task>();
  usePageAction('new', () => setTask({ kind: 'new' }));
  usePageAction('import', () => isAdmin && setTask({ kind: 'import' }));
  const list = useContacts(view.q);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const { contact, error } = useOpenContact(rows, view.contact, list.isSuccess);
  const isEmpty = list.isSuccess && rows.length === 0;
  return (
    <Page title={t('shell.contacts')} actions={<Actions onTask={setTask} />}>
      {(view.q !== undefined || !isEmpty) && (
        <SearchField
          label={t('contacts.find')}
          value={view.q ?? ''}
          maxLength={maxSearchLength}
          className={classes.find}
          onFind={(q) => change({ q })}
        />
      )}
      <ListWithDetails
        title={contact ? (contact.name ?? formatPhone(contact.number)) : t('contacts.details.title')}
        details={
          contact ? (
            <ContactDetails
              key={contact.id}
              contact={contact}
              onTask={(kind) => setTask({ kind, contact })}
            />
          ) : error ? (
            <ProblemNote error={error} />
          ) : undefined
        }
        isCovered={task !== undefined}
        onClose={() => change({ contact: undefined })}
      >
        <List list={list} rows={rows} view={view}>
          {isEmpty && (
            <NoContacts
              isSearch={view.q !== undefined}
              onCreate={() => setTask({ kind: 'new' })}
              onClear={() => change({ q: undefined })}
            />
          )}
        </List>
      </ListWithDetails>
      <Tasks
        task={task}
        onClose={() => setTask(undefined)}
        onSaved={(saved) => {
          setTask(undefined);
          queryClient.setQueryData(contactQuery(saved.id).queryKey, saved);
          change({ contact: saved.id });
        }}
        onRemoved={() => {
          refreshContacts(queryClient);
          change({ contact: undefined });
        }}
      />
    </Page>
  );
}

const useContacts = (q: string | undefined) => useInfiniteQuery(contactsQuery(q));

function useView(): { view: ContactsView; change: (changed: ViewChange) => void } {
  const search = useSearch({ from: '/shell/contacts' });
  const navigate = useNavigate();
  const view = useMemo(() => parseView(search), [search]);
  // Based on the latest URL: two changes may occur before either is rendered.
  const change = (changed: ViewChange): void =>
    void navigate({
      to: '/contacts',
      search: (now) => toSearch({ ...parseView(now), ...changed }),
      resetScroll: false,
      replace: true,
    });
  return { view, change };
}

/** Returns the contact in the URL, which may not be in the list. */
function useOpenContact(listed: Contact[], id: string | undefined, isRead: boolean) {
  const found = listed.find((each) => each.id === id);
  const isAsked = id !== undefined && isRead && !found;
  const { data, error } = useQuery({ ...contactQuery(id ?? ''), enabled: isAsked });
  if (id === undefined) return { contact: undefined, error: null };
  return found ? { contact: found, error: null } : { contact: data, error };
}

/** Width of the list below which each entry takes two rows (contacts.module.css). */
const compactBelow = 720;

function List({
  list,
  rows,
  view,
  children,
}: {
  list: ReturnType<typeof useContacts>;
  rows: Contact[];
  view: ContactsView;
  /** Shown instead of an empty list. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const isCompact = width < compactBelow;
  const isTooLong = list.hasNextPage && (list.data?.pages.length ?? 0) >= maxPages;
  return (
    <div ref={ref} className={classes.frame}>
      {list.isPending && (
        <div className={classes.waiting} role="status" aria-label={t('common.loading')}>
          {width > 0 && (
            <RowSkeletons
              rows={8}
              columns={isCompact ? ['2fr', '1fr'] : ['3fr', '2fr', '3fr', '1fr']}
              height={isCompact ? 64 : 44}
            />
          )}
        </div>
      )}
      {list.error && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      {rows.length > 0 && (
        <>
          <p className={classes.count} role="status">
            {t(list.hasNextPage ? 'contacts.first' : 'contacts.count', { count: rows.length })}
          </p>
          <ContactList contacts={rows} view={view} />
        </>
      )}
      {children}
      {list.hasNextPage && !isTooLong && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('contacts.more')}
          </Button>
        </div>
      )}
      {isTooLong && <Note kind="info">{t('contacts.tooLong')}</Note>}
    </div>
  );
}

function Actions({ onTask }: { onTask: (task: Task) => void }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  return (
    <>
      {isAdmin && (
        <Button
          variant="default"
          leftSection={<Icon name="upload" size={16} />}
          onClick={() => onTask({ kind: 'import' })}
        >
          {t('contacts.import.open')}
        </Button>
      )}
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => onTask({ kind: 'new' })}>
        {t('contacts.form.open')}
      </Button>
    </>
  );
}

export const page = createLazyRoute('/shell/contacts')({ component: ContactsPage });
