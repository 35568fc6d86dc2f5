const browsers: [string, RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const firstMatch = (names: [string, RegExp][], text: string): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0];

/** Returns the names of the browser and its operating system; undefined if one of them is unknown. */
export function readDevice(userAgent: string): { browser: string; system: string } | undefined {
  const browser = firstMatch(browsers, userAgent);
  const system = firstMatch(systems, userAgent);
  return browser && system ? { browser, system } : undefined;
}
