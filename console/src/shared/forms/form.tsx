import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';

/** Reads a form value by field name; missing fields read as an empty string. */
export type FieldReader = (name: string) => string;

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  onSubmit: (field: FieldReader, form: HTMLFormElement) => void;
};

/** A form that is validated and sent by its handler instead of the browser. */
export function Form({ onSubmit, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const awaitResult = useFocusOfResult(form);
  return (
    <form
      {...props}
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        awaitResult();
        onSubmit(createReader(event.currentTarget), event.currentTarget);
      }}
    />
  );
}

/**
 * A submit button that is disabled while the form is sent loses the focus. Moves the focus to the first invalid field,
 * and a lost one to the message or back to the button. Returns a function to call when the form is sent.
 */
function useFocusOfResult(form: RefObject<HTMLFormElement | null>): () => void {
  const sent = useRef<{ button: Element | null; from: Element | null }>(null);
  useEffect(() => {
    const shown = form.current;
    if (!shown || !sent.current) return;
    const { button, from } = sent.current;
    if (button?.hasAttribute('data-loading')) return;
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    const isMoved = !isLost && activeElement !== button && activeElement !== from;
    const target = shown.querySelector('[aria-invalid=true]') ?? messageOf(shown) ?? (isLost ? button : null);
    const isField = target?.hasAttribute('aria-invalid');
    if (target instanceof HTMLElement && !isMoved && (isField || isLost || activeElement === button))
      target.focus();
    if (isMoved || target) sent.current = null;
  });
  return () => {
    const button = form.current?.querySelector('[type=submit]') ?? null;
    sent.current = { button, from: document.activeElement };
  };
}

/** The message in the form or beside it. */
const messageOf = (form: HTMLFormElement): Element | null =>
  form.querySelector('[role=alert]') ?? form.parentElement?.querySelector(':scope > [role=alert]') ?? null;

function createReader(form: HTMLFormElement): FieldReader {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
}
