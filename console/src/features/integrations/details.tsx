import { CloseButton, Tabs, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { DeliveriesTab } from './deliveries/deliveries-tab.tsx';
import { ExplainTab } from './explain/explain-tab.tsx';
import { HealthNote } from './health-note.tsx';
import { HealthState } from './health-state.tsx';
import classes from './integrations.module.css';
import { useReloadAfter } from './live.ts';
import type { Health, Integration } from './queries.ts';
import { SecretTab } from './secret/secret-tab.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { SwitchButton } from './settings/switch-button.tsx';
import { readSettings } from './settings/webhook-settings.ts';
import { TestWebhook } from './test-webhook.tsx';
import { type IntegrationsView, type Tab, tabs } from './view.ts';

export interface TabProps {
  integration: Integration;
  view: IntegrationsView;
  onChange: (view: IntegrationsView) => void;
}

const contents: Record<Tab, (props: TabProps) => ReactNode> = {
  deliveries: (props) => <DeliveriesTab {...props} />,
  explain: (props) => <ExplainTab {...props} />,
  secret: ({ integration }) => <SecretTab id={integration.id} />,
  test: ({ integration }) => <TestWebhook id={integration.id} types={readSettings(integration).types} />,
  settings: (props) => <SettingsTab {...props} />,
};

export function Details({ integration, health, view, onChange }: TabProps & { health: Health | undefined }) {
  const { t } = useTranslation();
  const { id, gateway } = integration;
  const { url, types } = readSettings(integration);
  const props = { integration, view, onChange };
  useReloadAfter(types, ['integrations', id, 'deliveries']);
  return (
    <section className={classes.detail} aria-label={gateway}>
      <Link to="/integrations" className={classes.back}>
        <Icon name="left" size={16} />
        {t('integrations.all')}
      </Link>
      <header className={classes.detailHead}>
        <div className={classes.who}>
          <p className={classes.rowHead}>
            <Heading text={gateway} />
            {health && <HealthState state={health.state} />}
          </p>
          {url !== '' && (
            <p className={classes.address}>
              <code>{url}</code> <Copy value={url} label={t('integrations.copyAddress')} />
            </p>
          )}
        </div>
        <div className={classes.actions}>
          <SwitchButton integration={integration} />
          <CloseButton
            className={classes.close}
            aria-label={t('common.close')}
            onClick={() => onChange({})}
          />
        </div>
      </header>
      {health && <HealthNote health={health} />}
      <Tabs
        value={view.part ?? 'deliveries'}
        onChange={(part) => onChange({ integration: id, ...(part && { part: part as Tab }) })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs} aria-label={t('integrations.parts.label')}>
          {tabs.map((part) => (
            <Tabs.Tab key={part} value={part}>
              {t(`integrations.parts.${part}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((part) => (
          <Tabs.Panel key={part} value={part} className={classes.part}>
            {contents[part](props)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

/** On narrow screens the details replace the list, and the heading gets the focus. */
function Heading({ text }: { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!matchMedia('(min-width: 1200px)').matches) heading.current?.focus();
  }, []);
  return (
    <Title order={2} ref={heading} tabIndex={-1} className={classes.name}>
      {text}
    </Title>
  );
}
