import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../shared/forms/form.tsx';
import classes from './requests.module.css';
import { longestId, type RequestsView, selections, validateSearch } from './view.ts';

export function Filters({ view, onChange }: { view: RequestsView; onChange: (view: RequestsView) => void }) {
  const { t } = useTranslation();
  const { request = '' } = view;
  const [text, setText] = useState(request);
  useEffect(() => setText(request), [request]);
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('requests.show')}
        value={view.show ?? ''}
        onChange={({ currentTarget: { value } }) => onChange(validateSearch({ ...view, show: value }))}
        data={[
          { value: '', label: t('requests.all') },
          ...selections.map((value) => ({ value, label: t(`requests.selections.${value}`) })),
        ]}
      />
      <Form
        className={classes.find}
        role="search"
        onSubmit={() => onChange(validateSearch({ ...view, request: text }))}
      >
        <TextInput
          name="request"
          label={t('requests.id')}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          maxLength={longestId}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default">
          {t('requests.find')}
        </Button>
      </Form>
    </div>
  );
}
