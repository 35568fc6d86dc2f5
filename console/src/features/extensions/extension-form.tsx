import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { NewSecret } from './new-secret.tsx';
import classes from './page.module.css';
import { callerIdsQuery, type Extension, nextRamalQuery, usersQuery } from './queries.ts';
import { changeExtension, createExtension, type ExtensionInput } from './save-extension.ts';

export function ExtensionForm({
  extension,
  onClose,
  onDone,
}: {
  extension?: Extension;
  onClose: () => void;
  onDone: (saved: Extension) => void;
}) {
  const { t } = useTranslation();
  const next = useQuery({ ...nextRamalQuery, enabled: extension === undefined });
  const save = useMutation({
    mutationFn: (written: ExtensionInput) =>
      extension ? changeExtension(extension, written) : createExtension(written, next.data?.ramal),
    onSuccess: onDone,
  });
  const faults = useFaults(save.error);
  const title = extension
    ? t('extensions.form.editTitle', { ramal: extension.ramal })
    : t('extensions.form.newTitle');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className={classes.form} onSubmit={(field) => save.mutate(readInput(field))}>
        <TextInput
          // Resets the field when the suggested number arrives, shortly after the dialog opens.
          key={next.data?.ramal}
          name="ramal"
          inputMode="numeric"
          autoComplete="off"
          label={t('extensions.form.ramal')}
          description={t(extension ? 'extensions.form.ramalChange' : 'extensions.form.ramalHint')}
          defaultValue={extension?.ramal ?? next.data?.ramal}
          error={faults.ramal}
        />
        <Person extension={extension} faults={faults} />
        <NewSecret defaultValue={extension && ''} error={faults.senha} />
        <Behaviour extension={extension} fault={faults.bina} />
        {save.error && Object.keys(faults).length === 0 && <ProblemNote error={save.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(extension ? 'common.save' : 'extensions.form.create')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

type Faults = Record<string, string | undefined>;

/** Returns field errors, with wording specific to this form where it is more helpful. */
function useFaults(error: unknown): Faults {
  const { t } = useTranslation();
  const { ramal, senha, email_address, ...rest } = faultsByField(t, error);
  const isTaken = ramal === t('problems.faults.duplicate');
  const isCommon = senha === t('problems.faults.common_password');
  return {
    ...rest,
    ...(ramal && { ramal: isTaken ? t('extensions.form.faults.taken') : t('extensions.form.faults.ramal') }),
    ...(senha && { senha: isCommon ? senha : t('extensions.form.faults.senha') }),
    ...(email_address && { email_address: t('extensions.form.faults.email') }),
  };
}

function Person({ extension, faults }: { extension: Extension | undefined; faults: Faults }) {
  const { t } = useTranslation();
  const { data: people = [] } = useQuery(usersQuery);
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          name="first_name"
          data-autofocus
          label={t('extensions.form.firstName')}
          autoComplete="off"
          defaultValue={extension?.first_name}
          error={faults.first_name}
        />
        <TextInput
          name="last_name"
          label={t('extensions.form.lastName')}
          autoComplete="off"
          defaultValue={extension?.last_name}
          error={faults.last_name}
        />
      </div>
      <TextInput
        name="email_address"
        type="email"
        list="extension-people"
        autoComplete="off"
        label={t('extensions.form.email')}
        description={t('extensions.form.emailHint')}
        defaultValue={extension?.email_address}
        error={faults.email_address}
      />
      <datalist id="extension-people">
        {people.map(({ name, email }) => (
          <option key={email} value={email}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

function Behaviour({ extension, fault }: { extension: Extension | undefined; fault: string | undefined }) {
  const { t } = useTranslation();
  const { data: numbers = [] } = useQuery(callerIdsQuery);
  const owned = numbers.flatMap(({ status, number }) => (status === 'owned' && number ? [number] : []));
  const choices = [...new Set([...owned, ...(extension?.bina ? [extension.bina] : [])])];
  return (
    <>
      <NativeSelect
        // Resets the field when its options arrive, so that the default value is applied.
        key={choices.join()}
        name="bina"
        label={t('extensions.form.bina')}
        description={t('extensions.form.binaHint')}
        defaultValue={extension?.bina ?? ''}
        data={[
          { value: '', label: t('extensions.form.defaultNumber') },
          ...choices.map((number) => ({ value: number, label: formatPhone(number) })),
        ]}
        error={fault}
      />
      <Switch
        name="gravar_audio"
        label={t('extensions.form.record')}
        defaultChecked={extension ? extension.gravar_audio === 1 : true}
      />
      <Switch
        name="auto_answer"
        label={t('extensions.form.autoAnswer')}
        description={t('extensions.form.autoAnswerHint')}
        defaultChecked={extension?.auto_answer === 1}
      />
    </>
  );
}

function readInput(given: FieldReader): ExtensionInput {
  const field = (name: string): string => given(name).trim();
  return {
    ramal: field('ramal'),
    senha: given('senha'),
    first_name: field('first_name'),
    last_name: field('last_name'),
    email_address: field('email_address'),
    bina: field('bina'),
    gravar_audio: given('gravar_audio') === 'on' ? 1 : 0,
    auto_answer: given('auto_answer') === 'on' ? 1 : 0,
  };
}
