/**
 * Gives the schemas of generated types names of their own: `components["schemas"]["Call"]` becomes `interface Call`.
 * Editors and compiler errors then show the name instead of all fields.
 */
export function nameTypes(types: string, names: string[]): string {
  const start = '  schemas: {\n';
  const from = types.indexOf(start) + start.length;
  const to = types.indexOf('\n  };\n', from) + 1;
  const declarations = types
    .slice(from, to)
    .replaceAll(/^ {4}(\w+): \{$/gm, 'export interface $1 {')
    .replaceAll(/^ {4}\};$/gm, '}\n')
    .replaceAll(/^ {4}(\w+): (.+;)$/gm, 'export type $1 = $2\n')
    .replaceAll(/^ {4}/gm, '');
  const missing = names.filter(
    (name) => !new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(declarations),
  );
  if (missing.length > 0) throw new Error(`No type was generated for ${missing.join(', ')}.`);
  const references = names.map((name) => `    ${name}: ${name};\n`).join('');
  const whole = `${types.slice(0, from)}${references}${types.slice(to)}\n${declarations}`;
  return whole.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
}
