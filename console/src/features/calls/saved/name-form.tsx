import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/forms/form.tsx';
import classes from './saved.module.css';
import { longestName } from './stored-views.ts';

/** Asks for the name of a view. */
export function NameForm({
  name = '',
  hint,
  onName,
}: {
  name?: string;
  hint?: string;
  onName: (name: string) => void;
}) {
  const { t } = useTranslation();
  const [error, setError] = useState<string>();
  return (
    <Form
      className={classes.form}
      onSubmit={(field) => {
        const given = field('name').trim();
        if (given === '') setError(t('calls.views.unnamed'));
        else onName(given);
      }}
    >
      <TextInput
        name="name"
        label={t('calls.views.name')}
        description={hint}
        defaultValue={name}
        maxLength={longestName}
        error={error}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit">{t('calls.views.save')}</Button>
    </Form>
  );
}
