import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../api/session.ts';
import { toSearchValue } from '../../shared/format/search-value.ts';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Definition, DefinitionList } from '../../shared/layout/definition-list.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import classes from './page.module.css';
import { Presence, Recording } from './presence.tsx';
import type { Extension } from './queries.ts';
import { SecretValue } from './secret-value.tsx';
import { fullName } from './view.ts';

export type ExtensionTask = 'set-up' | 'edit' | 'remove';

export function Details({
  extension,
  onTask,
}: {
  extension: Extension;
  onTask: (task: ExtensionTask) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { user } = useSession();
  const isOwn = extension.user?.uuid === user.uuid;
  return (
    <>
      {!extension.registered && <p className={classes.lead}>{t('extensions.details.notRegistered')}</p>}
      <ExtensionFacts extension={extension} />
      <div className={classes.actions}>
        {(isAdmin || isOwn) && (
          <Button
            leftSection={<Icon name="extensions" size={16} />}
            variant={extension.registered ? 'default' : 'filled'}
            onClick={() => onTask('set-up')}
          >
            {t('extensions.details.setUp')}
          </Button>
        )}
        {isAdmin && (
          <Button variant="default" onClick={() => onTask('edit')}>
            {t('common.edit')}
          </Button>
        )}
        {isAdmin && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onTask('remove')}
          >
            {t('common.remove')}
          </Button>
        )}
      </div>
      <Link to="/calls" search={{ extension: toSearchValue(extension.ramal) }}>
        {t('extensions.details.calls')}
      </Link>
    </>
  );
}

function ExtensionFacts({ extension }: { extension: Extension }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { ramal, domain, bina, email_address, user } = extension;
  const address = `${ramal}@${domain}`;
  return (
    <DefinitionList>
      <Definition name={t('extensions.columns.presence')}>
        <Presence extension={extension} />
      </Definition>
      <Definition name={t('extensions.columns.name')}>{fullName(extension)}</Definition>
      <Definition name={t('extensions.form.email')}>{email_address}</Definition>
      <Definition name={t('extensions.columns.user')}>
        {user?.name ?? t('extensions.details.noUser')}
      </Definition>
      <Definition name={t('extensions.details.address')}>
        {address} <Copy value={address} label={t('extensions.details.copyAddress')} />
      </Definition>
      {isAdmin && (
        <Definition name={t('extensions.form.senha')}>
          <SecretValue key={extension.id} extension={extension} />
        </Definition>
      )}
      <Definition name={t('extensions.columns.recording')}>
        <Recording extension={extension} />
      </Definition>
      <Definition name={t('extensions.form.bina')}>
        {bina === '' ? t('extensions.form.defaultNumber') : formatPhone(bina)}
      </Definition>
      <Definition name={t('extensions.form.autoAnswer')}>
        {t(extension.auto_answer === 1 ? 'extensions.details.yes' : 'extensions.details.no')}
      </Definition>
    </DefinitionList>
  );
}
