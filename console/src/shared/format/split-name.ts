/**
 * Splits the name of a person into the two names of an extension, which are both required. The company stands for a
 * missing last name.
 */
export function splitName(name: string, company: string): { first_name: string; last_name: string } {
  const [first = '', ...others] = name.trim().split(/\s+/);
  return { first_name: first, last_name: others.join(' ') || company };
}
