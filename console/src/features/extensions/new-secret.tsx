import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { generatePassword } from '../../shared/forms/random-password.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './page.module.css';

/** SIP password field with a generated default. */
export function NewSecret({
  defaultValue,
  error,
}: {
  defaultValue: string | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const [value, setValue] = useState(() => defaultValue ?? generatePassword());
  return (
    <TextInput
      name="senha"
      label={t('extensions.form.senha')}
      description={t(
        defaultValue === undefined ? 'extensions.form.senhaHint' : 'extensions.form.senhaChange',
      )}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.secret ?? '' }}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      error={error}
      rightSection={
        <Tooltip label={t('extensions.form.newSenha')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('extensions.form.newSenha')}
            onClick={() => setValue(generatePassword())}
          >
            <Icon name="refresh" size={16} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}
