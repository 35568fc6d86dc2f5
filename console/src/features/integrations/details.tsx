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
  const part = view.part ?? 'deliveries';
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => showTab(list.current, part), [part]);
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
        value={part}
        onChange={(chosen) => onChange({ integration: id, ...(chosen && { part: chosen as Tab }) })}
        keepMounted={false}
      >
        <Tabs.List ref={list} className={classes.tabs} aria-label={t('integrations.parts.label')}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab} data-part={tab}>
              {t(`integrations.parts.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab} className={classes.part}>
            {contents[tab](props)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

/** Scrolls the row of tabs to one of them. The page does not scroll, as it would with `scrollIntoView`. */
function showTab(list: HTMLElement | null, part: Tab): void {
  const tab = list?.querySelector(`[data-part="${part}"]`);
  if (!list || !tab) return;
  const [row, box] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollLeft += Math.max(0, box.right - row.right) - Math.max(0, row.left - box.left);
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
