import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Trace events of script execution; none contains another at the same level. */
const scripting = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'RunMicrotasks',
  'TimerFire',
]);

/** Forced style and layout are counted as rendering, as in developer tools. */
const rendering = new Set(['Layout', 'UpdateLayoutTree']);

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'];

export interface Frames {
  /** CPU time of scripts in the longest task, in milliseconds. */
  longestScriptMs: number;
  taskCount: number;
}

/**
 * Performs an action and returns the longest script time of a task. Measures CPU time instead of wall time, so that load
 * from other processes does not matter.
 */
export async function measureFrames(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<Frames> {
  await browser.startTracing(page, { categories });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return readFrames(trace.traceEvents);
}

function readFrames(events: TraceEvent[]): Frames {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const own = events.filter(({ pid, tid, ph }) => ph === 'X' && mains.has(`${pid}/${tid}`));
  const tasks = own.filter(({ name }) => name === 'RunTask');
  const scripts = outermost(own.filter(({ name }) => scripting.has(name)));
  const forced = outermost(own.filter(({ name }) => rendering.has(name))).filter((event) =>
    scripts.some((script) => isWithin(event, script)),
  );
  const longestScriptMs = tasks.reduce((longest, task) => {
    const spent = (all: TraceEvent[]): number =>
      all.filter((event) => isWithin(event, task)).reduce((sum, { tdur = 0 }) => sum + tdur, 0);
    return Math.max(longest, (spent(scripts) - spent(forced)) / 1000);
  }, 0);
  return { longestScriptMs, taskCount: tasks.length };
}

const isWithin = (inner: TraceEvent, outer: TraceEvent): boolean =>
  inner.pid === outer.pid &&
  inner.tid === outer.tid &&
  inner.ts >= outer.ts &&
  inner.ts + (inner.dur ?? 0) <= outer.ts + (outer.dur ?? 0);

/** Drops events nested in another event of the list. */
function outermost(scripts: TraceEvent[]): TraceEvent[] {
  const sorted = scripts.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const kept: TraceEvent[] = [];
  for (const script of sorted) {
    const last = kept.findLast(({ pid, tid }) => pid === script.pid && tid === script.tid);
    if (!last || !isWithin(script, last)) kept.push(script);
  }
  return kept;
}
