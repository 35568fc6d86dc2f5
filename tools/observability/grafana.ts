export interface Panel {
  title: string;
  description?: string;
  /** A single number; a time series when absent. */
  kind?: 'stat';
  /** Grafana's unit; a plain number when absent. */
  unit?: string;
  /** PromQL queries by legend. */
  queries: Record<string, string>;
}

export interface Dashboard {
  file: string;
  title: string;
  panels: Panel[];
}

const columns = 24;
const datasource = { type: 'prometheus', uid: '$datasource' };

/** Returns a dashboard in Grafana's import format, left to right: single numbers first, then time series two per row. */
export function grafanaJson({ file, title, panels }: Dashboard): object {
  return {
    uid: `disca-${file}`,
    title,
    tags: ['disca'],
    timezone: 'browser',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {} },
      ],
    },
    annotations: { list: [] },
    links: [{ title: 'Disca', type: 'dashboards', tags: ['disca'], asDropdown: true }],
    panels: placed(panels),
  };
}

function placed(panels: Panel[]): object[] {
  let x = 0;
  let y = 0;
  return panels.map((panel, index) => {
    const { w, h } = panel.kind === 'stat' ? { w: 4, h: 4 } : { w: 12, h: 8 };
    if (x + w > columns) {
      x = 0;
      y += 8;
    }
    const gridPos = { x, y, w, h };
    x += w;
    return panelJson(panel, index + 1, gridPos);
  });
}

function panelJson(
  { title, description, kind, unit = 'short', queries }: Panel,
  id: number,
  gridPos: object,
): object {
  return {
    id,
    type: kind ?? 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    gridPos,
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
