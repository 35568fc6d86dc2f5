import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { isProblem } from '../../../api/problem.ts';
import { QrCode } from '../../../shared/format/qr-code.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import classes from '../settings.module.css';

export interface AddDialogProps {
  onAdded: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** Shows the secret for an app that shows codes, and adds the app once it shows the right code. */
export function AddTotpDialog({ onAdded, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const start = useMutation({
    mutationFn: () => unwrap(api.POST('/users/me/factors/totp/start', { body: null })),
  });
  const begin = start.mutate;
  useEffect(() => begin(), [begin]);
  const add = useMutation({
    mutationFn: (body: { name: string; setUp: string; code: string }) =>
      unwrap(api.POST('/users/me/factors/totp', { body })),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  const submit = (field: FieldReader): void => {
    if (start.data) add.mutate({ name: field('name'), code: field('code'), setUp: start.data.setUp });
  };
  const faults = faultsByField(t, add.error);
  const isShown = faults.name !== undefined || faults.code !== undefined;
  const isLate = isProblem(add.error) && add.error.code === 'NOT_FOUND';
  return (
    <Dialog title={t('settings.factors.addTotp')} onClose={onClose}>
      <Form className={classes.form} onSubmit={submit}>
        {start.isPending && <Skeleton height={232} />}
        {start.error && <ProblemNote error={start.error} onRetry={() => start.mutate()} />}
        {start.data && <Secret {...start.data} fault={faults.code} />}
        <TextInput
          name="name"
          label={t('settings.factors.name')}
          description={t('settings.factors.nameHint')}
          defaultValue={t('settings.factors.defaultName.totp')}
          maxLength={60}
          error={faults.name}
        />
        {add.error && !isShown && (
          <ProblemNote error={add.error} {...(isLate ? { text: t('settings.factors.late') } : {})} />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={!start.data} loading={add.isPending}>
            {t('settings.factors.submit')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The secret as QR code and text, and the field for the first code. */
function Secret({ uri, secret, fault }: { uri: string; secret: string; fault: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.lead}>{t('settings.factors.scan')}</p>
      <QrCode text={uri} label={t('settings.factors.qrCode')} />
      <p className={classes.lead}>
        {t('settings.factors.secret')}: <code>{secret}</code> <Copy value={secret} />
      </p>
      <TextInput
        name="code"
        label={t('settings.factors.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        error={fault}
      />
    </>
  );
}
