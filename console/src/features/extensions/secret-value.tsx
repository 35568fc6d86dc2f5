import { ActionIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './page.module.css';
import type { Extension } from './queries.ts';
import { revealSenha } from './save-extension.ts';

/** The SIP password of an extension, fetched when the user reveals it. */
export function SecretValue({ extension }: { extension: Extension }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const reveal = useMutation({
    mutationFn: () => revealSenha(extension),
    onSuccess: () => setShown(true),
  });
  const value = reveal.data;
  return (
    <span className={classes.inline}>
      <span className={classes.secret}>{isShown && value !== undefined ? value : '••••••••'}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-pressed={isShown}
        aria-label={t('extensions.secret.show')}
        title={t('extensions.secret.show')}
        loading={reveal.isPending}
        onClick={() => (value === undefined ? reveal.mutate() : setShown(!isShown))}
      >
        <Icon name={isShown ? 'eyeOff' : 'eye'} size={16} />
      </ActionIcon>
      {value !== undefined && <Copy value={value} label={t('extensions.secret.copy')} />}
      {reveal.error && <ProblemNote error={reveal.error} />}
    </span>
  );
}
