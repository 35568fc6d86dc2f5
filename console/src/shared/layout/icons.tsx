/** Our own icons: single stroke on a 24 px grid, in the current text colour. */
const paths = {
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  calls: 'M5 4h4l2 5-2.5 1.5a11 11 0 005 5L15 13l5 2v4a1 1 0 01-1 1A15 15 0 014 5a1 1 0 011-1z',
  contacts:
    'M7 3h11a1 1 0 011 1v16a1 1 0 01-1 1H7zM4 7h5M4 12h5M4 17h5M13.500 11.500a2 2 0 100-4 2 2 0 000 4zM10.500 17c0-2 1.300-3 3-3s3 1 3 3',
  extensions:
    'M7 3h10a1 1 0 011 1v16a1 1 0 01-1 1H7a1 1 0 01-1-1V4a1 1 0 011-1zM9 7h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h.01M15 16h.01',
  people:
    'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.5a3.5 3.5 0 010 6.5M18 14.5c2.2.8 3.5 2.8 3.5 5.5',
  team: 'M12 10a3 3 0 100-6 3 3 0 000 6zM6.500 20c0-3.200 2.300-5.500 5.500-5.500s5.500 2.300 5.500 5.500M4.500 13a2 2 0 100-4 2 2 0 000 4zM19.500 13a2 2 0 100-4 2 2 0 000 4zM1.500 18c0-1.500 1-2.700 2.500-3M22.500 18c0-1.500-1-2.700-2.500-3',
  integrations: 'M9 7V3M15 7V3M7 7h10v4a5 5 0 01-10 0zM12 16v5',
  requests: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  credit: 'M3 6h18v12H3zM3 10h18M7 15h4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  docs: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5',
  more: 'M5 13a1 1 0 100-2 1 1 0 000 2zM12 13a1 1 0 100-2 1 1 0 000 2zM19 13a1 1 0 100-2 1 1 0 000 2z',
  check: 'M5 12.500l4.5 4.500L19 7',
  cross: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  info: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5M12 8h.01',
  down: 'M6 9l6 6 6-6',
  left: 'M15 6l-6 6 6 6',
  undo: 'M9 6l-4 4 4 4M5 10h9a5 5 0 010 10h-3',
  plus: 'M12 5v14M5 12h14',
  external: 'M14 4h6v6M20 4l-9 9M17 14v6H4V7h6',
  live: 'M12 14a2 2 0 100-4 2 2 0 000 4zM7.5 16.500a6.4 6.4 0 010-9M16.5 7.500a6.4 6.4 0 010 9M4.7 19.300a10.3 10.3 0 010-14.600M19.3 4.700a10.3 10.3 0 010 14.6',
  logOut: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h10',
  barred: 'M12 21a9 9 0 100-18 9 9 0 000 18zM7.500 12h9',
  offline:
    'M3 3l18 18M5 12.500A10 10 0 019 10M12 19h.01M8.5 16a5 5 0 017 0M15 10.500a10 10 0 014 2M2 8.800A15 15 0 016.5 6M11 5a15 15 0 0111 3.8',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  hangUp: 'M3 15c0-4 4-6 9-6s9 2 9 6v2h-5v-3.500a14 14 0 00-8 0V17H3z',
  mic: 'M12 15a3 3 0 003-3V6a3 3 0 00-6 0v6a3 3 0 003 3zM5 12a7 7 0 0014 0M12 19v3',
  micOff:
    'M3 3l18 18M9 9v3a3 3 0 004.5 2.600M15 11V6a3 3 0 00-5.8-1M5 12a7 7 0 0011 5.700M19 12a7 7 0 01-.5 2.600M12 19v3',
  keypad:
    'M6 5.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM12 5.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM18 5.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM6 11.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM12 11.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM18 11.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM6 17.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM12 17.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM18 17.6a.6.6 0 100-1.2 .6 .6 0 000 1.2zM12 21.6a.6.6 0 100-1.2 .6 .6 0 000 1.2z',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3.5 2',
  filter: 'M4 5h16l-6 7v6l-4 2v-8z',
  refresh: 'M20 11a8 8 0 00-14-4L4 9M4 4v5h5M4 13a8 8 0 0014 4l2-2M20 20v-5h-5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  key: 'M8 16a4 4 0 100-8 4 4 0 000 8zM12 12h9M17 12v4M21 12v3',
  send: 'M4 12l16-8-5 16-3-7z',
  eye: 'M2.5 12S6 5.500 12 5.500 21.5 12 21.5 12 18 18.500 12 18.500 2.5 12 2.5 12zM12 15a3 3 0 100-6 3 3 0 000 6z',
  eyeOff:
    'M3 3l18 18M10 5.700A9 9 0 0112 5.500c6 0 9.5 6.500 9.5 6.500a16 16 0 01-2.6 3.400M6.300 7.300A15.500 15.500 0 002.5 12S6 18.500 12 18.500a9 9 0 004.500-1.200M10 10a3 3 0 004 4',
  person: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 3.6-7 8-7s8 3 8 7',
} as const;

export type IconName = keyof typeof paths;

/** Hidden from screen readers: every icon has a text next to it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 24 ? 1.5 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
