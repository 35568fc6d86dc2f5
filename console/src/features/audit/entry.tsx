import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Time } from '../../shared/format/values.tsx';
import { Copy } from '../../shared/forms/copy-button.tsx';
import classes from './audit.module.css';
import { changesOf } from './changes.ts';
import type { AuditEntry } from './queries.ts';

/** One change: who made it, when and from where, and the values before and after. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { at, actorUuid, actorEmail, action, targetId, address, requestId } = entry;
  const changes = changesOf(entry);
  // Dots separate the parts of a text's key.
  const key = action.replace('.', '/') as 'user/create';
  const text = t(`audit.actions.${key}`, { defaultValue: '' });
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <strong className={classes.action}>{text || <code>{action}</code>}</strong>
        <span className={classes.author}>
          {actorEmail ?? t(actorUuid === null ? 'audit.operator' : 'audit.removedAuthor')}
        </span>
        <span className={classes.when}>
          <Time iso={at} />
        </span>
      </div>
      {changes.length > 0 && (
        <dl className={classes.changes}>
          {changes.map(({ name, before, after }) => (
            <div key={name} className={classes.change}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {before !== undefined && <del className={classes.before}>{before}</del>}
                {before !== undefined && after !== undefined && ' → '}
                {after !== undefined && <ins className={classes.after}>{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={classes.origin}>
        <span>{t('audit.target', { id: targetId })}</span>
        {address && <span>{t('audit.address', { address })}</span>}
        {requestId && (
          <span className={classes.id}>
            <code>{requestId}</code> <Copy value={requestId} label={t('requests.copyId')} />
          </span>
        )}
      </p>
    </li>
  );
}

/** The rows of the list while it loads. */
export function EntrySkeletons() {
  return (
    <ul className={classes.list} aria-hidden="true">
      {Array.from({ length: 5 }, (_, index) => index).map((row) => (
        <li key={row} className={classes.entry}>
          <div className={classes.head}>
            <Skeleton height={14} width="80%" />
            <Skeleton height={14} width="60%" />
            <Skeleton height={14} width={120} />
          </div>
          <Skeleton height={12} width="45%" />
        </li>
      ))}
    </ul>
  );
}
