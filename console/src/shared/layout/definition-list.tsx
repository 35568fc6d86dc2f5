import type { ReactNode } from 'react';
import classes from './definition-list.module.css';

/** Name and value pairs as a `<dl>`. */
export function DefinitionList({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

export function Definition({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
