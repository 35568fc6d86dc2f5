import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { QrCode } from '../../../shared/format/qr-code.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Definition, DefinitionList } from '../../../shared/layout/definition-list.tsx';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { type Extension, watchedExtensionQuery } from '../queries.ts';
import { revealSenha } from '../save-extension.ts';
import { SecretValue } from '../secret-value.tsx';
import { type App, apps, codeText, ports, type Softphones, steps } from './apps.ts';
import classes from './set-up.module.css';
import { ThisBrowser } from './this-browser.tsx';

/** Softphone set-up instructions with live registration status. */
export function SetUpDialog({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const { t } = useTranslation();
  // The browser phone needs no other program.
  const [app, setApp] = useState<App>();
  const nameFor = ({ label }: App): string => label ?? t('extensions.setUp.otherApp');
  return (
    <Dialog title={t('extensions.setUp.title', { ramal: extension.ramal })} form="wide" onClose={onClose}>
      <Registration extension={extension} />
      <NativeSelect
        data-autofocus
        label={t('extensions.setUp.app')}
        value={app?.name ?? browser}
        data={[
          { value: browser, label: t('extensions.setUp.browser.name') },
          ...apps.map((each) => ({ value: each.name, label: nameFor(each) })),
        ]}
        onChange={({ currentTarget: { value } }) => setApp(apps.find(({ name }) => name === value))}
      />
      {app ? (
        <AppSteps app={app} extension={extension} />
      ) : (
        <ThisBrowser extension={extension} onDone={onClose} />
      )}
      <DialogActions>
        <Button variant={app ? 'filled' : 'default'} onClick={onClose}>
          {t('extensions.setUp.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const browser = 'browser';

function AppSteps({ app, extension }: { app: App; extension: Extension }) {
  const { t } = useTranslation();
  const { softphones } = useSession();
  return (
    <>
      <div className={classes.columns}>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step}>{t(`extensions.setUp.steps.${app.name}.${step}`)}</li>
          ))}
        </ol>
        <div className={classes.column}>
          <Values extension={extension} />
          <Code app={app} extension={extension} />
        </div>
      </div>
      <p className={classes.quiet}>
        {t(isConfigured(softphones) ? 'extensions.setUp.serverHint' : 'extensions.setUp.portsHint')}{' '}
        {t('extensions.setUp.oneHint')}
      </p>
    </>
  );
}

const isConfigured = ({ tls, plain }: Softphones): boolean => tls !== null || plain !== null;

/** Polls until a softphone registers. */
function Registration({ extension }: { extension: Extension }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data = extension, error } = useQuery(watchedExtensionQuery(extension.id));
  if (error) return <ProblemNote error={error} />;
  if (data.registered && data.registered_at)
    return (
      <StatusNote kind="good">
        {t('extensions.setUp.registered', { ramal: data.ramal, at: formats.time(data.registered_at) })}
      </StatusNote>
    );
  return <StatusNote kind="info">{t('extensions.setUp.waiting', { ramal: data.ramal })}</StatusNote>;
}

function Values({ extension }: { extension: Extension }) {
  const { t } = useTranslation();
  const { softphones } = useSession();
  const isAdmin = useIsAdmin();
  const { ramal, domain } = extension;
  return (
    <DefinitionList>
      <Definition
        name={t(isConfigured(softphones) ? 'extensions.setUp.domainOnly' : 'extensions.setUp.domain')}
      >
        {domain} <Copy value={domain} label={t('extensions.setUp.copyDomain')} />
      </Definition>
      <Definition name={t('extensions.setUp.user')}>
        {ramal} <Copy value={ramal} label={t('extensions.setUp.copyUser')} />
      </Definition>
      <Definition name={t('extensions.form.senha')}>
        {isAdmin ? <SecretValue extension={extension} /> : t('extensions.setUp.askForSenha')}
      </Definition>
      {isConfigured(softphones) ? (
        <Server softphones={softphones} />
      ) : (
        <Definition name={t('extensions.setUp.transport')}>
          {t('extensions.setUp.tls', { port: ports.tls })}
          <br />
          {t('extensions.setUp.plain', { port: ports.plain })}
        </Definition>
      )}
    </DefinitionList>
  );
}

/** Server address for each transport. */
function Server({ softphones }: { softphones: Softphones }) {
  const { t } = useTranslation();
  return (
    <Definition name={t('extensions.setUp.server')}>
      {(['tls', 'plain'] as const).map((way) => {
        const address = softphones[way];
        return (
          address !== null && (
            <div key={way} className={classes.way}>
              {address} <Copy value={address} label={t('extensions.setUp.copyServer', { address })} />
              <p className={classes.quiet}>{t(`extensions.setUp.ways.${way}`)}</p>
            </div>
          )
        );
      })}
    </Definition>
  );
}

function Code({ app, extension }: { app: App; extension: Extension }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { softphones } = useSession();
  const reveal = useMutation({ mutationFn: () => revealSenha(extension) });
  if (!isAdmin) return null;
  const text = reveal.data && codeText(app, { ...extension, senha: reveal.data }, softphones);
  return (
    <div className={classes.codeFrame}>
      <p className={classes.quiet}>{t(`extensions.setUp.codes.${app.code}`)}</p>
      {text !== undefined && (
        <QrCode text={text} label={t('extensions.setUp.codeLabel', { ramal: extension.ramal })} />
      )}
      {app.code !== 'none' && text === undefined && (
        <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate()}>
          {t('extensions.setUp.showCode')}
        </Button>
      )}
      {reveal.error && <ProblemNote error={reveal.error} />}
    </div>
  );
}
