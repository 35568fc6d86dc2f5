import classes from './notes.module.css';

/**
 * A disposition, or else the first tag, and the number of further tags. Uses plain elements only, because rows of lists
 * render often.
 */
export function NoteTags({ disposition, tags }: { disposition: string | null; tags: readonly string[] }) {
  const all = [...(disposition === null ? [] : [disposition]), ...tags];
  const [first, ...further] = all;
  if (first === undefined) return null;
  return (
    <span className={classes.line} title={all.join(', ')}>
      <span className={disposition === null ? classes.tag : classes.disposition}>{first}</span>
      {further.length > 0 && <span className={classes.further}>{`+${further.length}`}</span>}
    </span>
  );
}
