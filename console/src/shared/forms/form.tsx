import type { ComponentProps } from 'react';

/** Reads a form value by field name; missing fields read as an empty string. */
export type FieldReader = (name: string) => string;

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit: (field: FieldReader, form: HTMLFormElement) => void;
};

/** A form that is validated and sent by its handler instead of the browser. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(createReader(event.currentTarget), event.currentTarget);
      }}
    />
  );
}

function createReader(form: HTMLFormElement): FieldReader {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
}
