/** One line of the demo, under the name of what it is about. */
export const say = (what: string, text: string): void => console.log(`  ${what.padEnd(10)} ${text}`);
