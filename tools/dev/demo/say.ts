/** Prints one line of the demo with its label. */
export const say = (what: string, text: string): void => console.log(`  ${what.padEnd(10)} ${text}`);
