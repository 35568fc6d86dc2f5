import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import { createPasskey } from '../../../shared/proof/factors.ts';
import classes from '../settings.module.css';
import type { AddDialogProps } from './add-totp-dialog.tsx';

/** Lets the browser create a passkey, and adds it. */
export function AddPasskeyDialog({ onAdded, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const add = useMutation({
    mutationFn: async (name: string) => {
      const registration = await createPasskey();
      return await unwrap(api.POST('/users/me/factors/passkey', { body: { name, registration } }));
    },
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  const submit = (field: FieldReader): void => add.mutate(field('name'));
  const faults = faultsByField(t, add.error);
  const text = faults.registration;
  return (
    <Dialog title={t('settings.factors.addPasskey')} onClose={onClose}>
      <Form className={classes.form} onSubmit={submit}>
        <p className={classes.lead}>{t('settings.factors.passkeyLead')}</p>
        <TextInput
          name="name"
          label={t('settings.factors.name')}
          description={t('settings.factors.nameHint')}
          defaultValue={t('settings.factors.defaultName.passkey')}
          maxLength={60}
          error={faults.name}
          data-autofocus
        />
        {add.error && !faults.name && <ProblemNote error={add.error} {...(text ? { text } : {})} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('settings.factors.submit')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
