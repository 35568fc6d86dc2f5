import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../shared/forms/form.tsx';
import classes from './audit.module.css';
import { type AuditView, longestAuthor, periods, subjects, validateSearch } from './view.ts';

export function Filters({ view, onChange }: { view: AuditView; onChange: (view: AuditView) => void }) {
  const { t } = useTranslation();
  const { by = '' } = view;
  const [author, setAuthor] = useState(by);
  useEffect(() => setAuthor(by), [by]);
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('audit.about')}
        value={view.about ?? ''}
        onChange={({ currentTarget: { value } }) => onChange(validateSearch({ ...view, about: value }))}
        data={[
          { value: '', label: t('audit.anything') },
          ...subjects.map((value) => ({ value, label: t(`audit.subjects.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('audit.period')}
        value={view.days ?? ''}
        onChange={({ currentTarget: { value } }) => onChange(validateSearch({ ...view, days: value }))}
        data={[
          { value: '', label: t('audit.anyTime') },
          ...periods.map((days) => ({ value: String(days), label: t('audit.lastDays', { count: days }) })),
        ]}
      />
      <Form
        className={classes.find}
        role="search"
        onSubmit={() => onChange(validateSearch({ ...view, by: author }))}
      >
        <TextInput
          name="by"
          label={t('audit.by')}
          placeholder={t('audit.byHint')}
          value={author}
          onChange={({ currentTarget: { value } }) => setAuthor(value)}
          maxLength={longestAuthor}
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
