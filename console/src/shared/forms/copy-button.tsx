import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../layout/icons.tsx';
import classes from './copy-button.module.css';

/** Copies a value to the clipboard; `label` names the value for screen readers. */
export function Copy({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const text = copied ? t('common.copied') : (label ?? t('common.copy'));
        return (
          <Tooltip label={text}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              className={classes.copy}
              aria-label={text}
              onClick={copy}
            >
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
