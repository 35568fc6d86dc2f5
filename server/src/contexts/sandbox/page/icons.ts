import { markup } from './html.ts';

const stroked = (size: number, shape: string) =>
  markup(
    `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );

/** The outline of an orelhão, the egg-shaped phone booth, around a dot. */
export const mark = stroked(
  28,
  '<path d="M6 20C2.5 12 5 3 12 3s9.5 9 6 17"/><circle cx="12" cy="12" r="2" fill="currentColor" stroke="none"/>',
);

export const flask = stroked(
  18,
  '<path d="M9 3h6M10 3v6L5 19a1.5 1.5 0 0 0 1.4 2h11.2a1.5 1.5 0 0 0 1.4-2L14 9V3M8 15h8"/>',
);

export const check = stroked(32, '<path d="M5 12.5l4.5 4.5L19 7.5"/>');
export const cross = stroked(32, '<path d="M7 7l10 10M17 7L7 17"/>');
export const back = stroked(32, '<path d="M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 5 5V18"/>');
export const question = stroked(32, '<path d="M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1.1-1.4 2.2M12 17.5v.01"/>');
export const warning = stroked(20, '<path d="M12 4l9 16H3zM12 10v4M12 17v.01"/>');
