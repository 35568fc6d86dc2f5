import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { moveFocus } from '../../shared/layout/move-focus.ts';
import classes from './list.module.css';
import { Presence, Recording } from './presence.tsx';
import type { Extension } from './queries.ts';
import { type ExtensionsView, fullName, toSearch } from './view.ts';

const columns = ['ramal', 'name', 'user', 'presence', 'recording'] as const;

export function ExtensionList({ extensions, view }: { extensions: Extension[]; view: ExtensionsView }) {
  const { t } = useTranslation();
  return (
    <table className={classes.table} aria-label={t('shell.extensions')}>
      <thead className={classes.names}>
        <tr className={classes.columns}>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`extensions.columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveFocus}>
        {extensions.map((extension) => (
          <Line key={extension.id} extension={extension} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ extension, view }: { extension: Extension; view: ExtensionsView }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const { ramal, email_address } = extension;
  const isOpen = view.ramal === ramal;
  const isOwn = extension.user?.uuid === user.uuid;
  return (
    <tr className={classes.line} data-open={isOpen}>
      <td className={classes.ramal}>
        <Link
          to="/extensions"
          search={toSearch({ ...view, ramal })}
          resetScroll={false}
          className={classes.link}
          aria-current={isOpen || undefined}
        >
          {ramal}
        </Link>
      </td>
      <td className={classes.name} title={`${fullName(extension)} · ${email_address}`}>
        {fullName(extension)}
      </td>
      <td className={classes.user} title={extension.user?.email ?? email_address}>
        {isOwn ? t('extensions.yours') : (extension.user?.name ?? t('extensions.unassigned'))}
      </td>
      <td className={classes.presence}>
        <Presence extension={extension} />
      </td>
      <td className={classes.recording}>
        <Recording extension={extension} />
      </td>
    </tr>
  );
}
