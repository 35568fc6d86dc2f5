import { Skeleton } from '@mantine/core';
import classes from './settings.module.css';

/** A list of names and values while it loads. */
export function FactSkeletons({ rows }: { rows: number }) {
  return (
    <div className={classes.facts} aria-hidden="true">
      {Array.from({ length: rows * 2 }, (_, index) => index).map((cell) => (
        <Skeleton key={cell} height={14} width={cell % 2 === 0 ? 140 : '50%'} />
      ))}
    </div>
  );
}
