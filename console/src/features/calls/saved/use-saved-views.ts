import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { readViews, type SavedView, withName, withView, writeViews } from './stored-views.ts';

export interface SavedViews {
  views: SavedView[];
  save(view: SavedView): void;
  rename(from: string, to: string): void;
  remove(name: string): void;
}

/** The user's saved views of the list of calls, which this browser keeps. */
export function useSavedViews(): SavedViews {
  const { uuid } = useSession().user;
  const [views, setViews] = useState(() => readViews(uuid));
  // Another tab may have changed the views since this page has read them.
  const change = (changed: (views: SavedView[]) => SavedView[]): void => {
    const next = changed(readViews(uuid));
    writeViews(uuid, next);
    setViews(next);
  };
  return {
    views,
    save: (view) => change((all) => withView(all, view)),
    rename: (from, to) => change((all) => withName(all, from, to)),
    remove: (removed) => change((all) => all.filter(({ name }) => name !== removed)),
  };
}
