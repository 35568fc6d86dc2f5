import { snippetsOf } from '../../../tools/docs/snippets.ts';

const page = 'docs/operate/machines.md';

/** Returns the commands of the manual for several machines that contain this text, so that tests run what it says. */
export function findSnippet(content: string): string {
  const [snippet, ...others] = snippetsOf(page).filter(({ text }) => text.includes(content));
  if (!snippet || others.length > 0)
    throw new Error(`${page} has ${others.length + (snippet ? 1 : 0)} snippets with ${content}.`);
  return snippet.text;
}
