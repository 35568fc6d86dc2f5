import { lazy, Suspense } from 'react';
import type { ExtensionTask } from './details.tsx';
import type { Extension } from './queries.ts';

const ExtensionForm = lazy(() =>
  import('./extension-form.tsx').then((module) => ({ default: module.ExtensionForm })),
);
const RemoveDialog = lazy(() =>
  import('./remove-dialog.tsx').then((module) => ({ default: module.RemoveDialog })),
);
const SetUpDialog = lazy(() =>
  import('./set-up/set-up-dialog.tsx').then((module) => ({ default: module.SetUpDialog })),
);
const ImportDialog = lazy(() =>
  import('./import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

export type Task = { kind: 'new' | 'import' } | { kind: ExtensionTask; extension: Extension };

/** Lazy-loaded dialogs of the screen. */
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
      return (
        <RemoveDialog
          extension={task.extension}
          onClose={close}
          onDone={() => {
            onChanged(null);
            close();
          }}
        />
      );
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
