import { create } from 'qrcode';
import { useMemo } from 'react';
import classes from './qr-code.module.css';

const marginModules = 4;

/** Dark on light in both themes, because many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawModules(text), [text]);
  const whole = size + 2 * marginModules;
  return (
    <svg
      className={classes.code}
      role="img"
      aria-label={label}
      viewBox={`${-marginModules} ${-marginModules} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <rect x={-marginModules} y={-marginModules} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Low error correction keeps the modules large; a code on a screen is never damaged. */
function drawModules(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'L' });
  const dark: string[] = [];
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1)
      if (modules.get(row, column)) dark.push(`M${column} ${row}h1v1h-1z`);
  }
  return { path: dark.join(''), size: modules.size };
}
