import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../forms/copy-button.tsx';
import classes from './empty-state.module.css';
import { Icon, type IconName } from './icons.tsx';

/** Empty state: one sentence, one action, and the equivalent curl command. */
export function EmptyState({
  icon,
  text,
  action,
  curl,
}: {
  icon: IconName;
  text: string;
  action?: ReactNode;
  curl?: string;
}) {
  const { t } = useTranslation();
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon name={icon} size={28} />
      </span>
      <p className={classes.text}>{text}</p>
      {action}
      {curl && (
        <figure className={classes.curl}>
          <figcaption className={classes.caption}>
            {t('common.curl')} <Copy value={curl} />
          </figcaption>
          <Code block className={classes.line}>
            {curl}
          </Code>
        </figure>
      )}
    </div>
  );
}
