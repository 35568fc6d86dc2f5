import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { ConfirmDialog } from '../../shared/layout/confirm-dialog.tsx';
import type { ExtensionTask } from './details.tsx';
import classes from './page.module.css';
import type { Extension } from './queries.ts';
import { fullName } from './view.ts';

const ExtensionForm = lazy(() =>
  import('./extension-form.tsx').then((module) => ({ default: module.ExtensionForm })),
);
const SetUpDialog = lazy(() =>
  import('./set-up/set-up-dialog.tsx').then((module) => ({ default: module.SetUpDialog })),
);
const ImportDialog = lazy(() =>
  import('./import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

export type Task = { kind: 'new' | 'import' } | { kind: ExtensionTask; extension: Extension };

/** Dialogs of the screen; the large ones are loaded when they open. */
export function Tasks({
  task,
  onTask,
  onChanged,
}: {
  task: Task | undefined;
  onTask: (task: Task | undefined) => void;
  /** Receives the number to open next: null for none, undefined to keep the current one. */
  onChanged: (ramal?: string | null) => void;
}) {
  const close = (): void => onTask(undefined);
  return <Suspense>{task && dialogFor(task, { close, onTask, onChanged })}</Suspense>;
}

interface TaskActions {
  close: () => void;
  onTask: (task: Task) => void;
  onChanged: (ramal?: string | null) => void;
}

function dialogFor(task: Task, { close, onTask, onChanged }: TaskActions) {
  switch (task.kind) {
    case 'new':
      return (
        <ExtensionForm
          onClose={close}
          onDone={(extension) => {
            onChanged(extension.ramal);
            // A new extension needs a phone.
            onTask({ kind: 'set-up', extension });
          }}
        />
      );
    case 'import':
      return <ImportDialog onClose={close} onChanged={onChanged} />;
    case 'edit':
      return (
        <ExtensionForm
          extension={task.extension}
          onClose={close}
          onDone={({ ramal }) => {
            onChanged(ramal);
            close();
          }}
        />
      );
    case 'remove':
      return <RemoveDialog extension={task.extension} onClose={close} onDone={() => onChanged(null)} />;
    case 'set-up':
      return (
        <SetUpDialog
          extension={task.extension}
          onClose={() => {
            onChanged();
            close();
          }}
        />
      );
  }
}

interface RemoveProps {
  extension: Extension;
  onClose: () => void;
  onDone: () => void;
}

function RemoveDialog({ extension, ...handlers }: RemoveProps) {
  const { t } = useTranslation();
  const { id, ramal } = extension;
  return (
    <ConfirmDialog
      title={t('extensions.remove.title', { ramal })}
      actionText={t('extensions.remove.submit')}
      action={() => unwrap(api.DELETE('/extensions/{id}', { params: { path: { id: String(id) } } }))}
      {...handlers}
    >
      <p className={classes.lead}>{t('extensions.remove.text', { ramal, name: fullName(extension) })}</p>
    </ConfirmDialog>
  );
}
