import { Skeleton } from '@mantine/core';
import classes from './skeletons.module.css';

const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Part of its column that a text fills: texts are of different lengths. */
const fills = ['72%', '88%', '60%', '80%', '66%'];

/** The rows of a list while it loads: a text in each column, given as CSS widths. */
export function RowSkeletons({
  rows,
  columns = ['2fr', '3fr', '1fr'],
  height = 44,
}: {
  rows: number;
  columns?: string[];
  /** Of a row, in pixels. */
  height?: number;
}) {
  return (
    <div className={classes.rows} aria-hidden="true">
      {indexes(rows).map((row) => (
        <div
          key={row}
          className={classes.row}
          style={{ height, gridTemplateColumns: columns.map((width) => `minmax(0, ${width})`).join(' ') }}
        >
          {indexes(columns.length).map((column) => (
            <Skeleton key={column} height={12} width={fills[(row + column) % fills.length] as string} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The fields of a form while their values load. */
export function FieldSkeletons({ fields }: { fields: number }) {
  return (
    <div className={classes.fields} aria-hidden="true">
      {indexes(fields).map((field) => (
        <div key={field} className={classes.field}>
          <Skeleton height={12} width={120} />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}
