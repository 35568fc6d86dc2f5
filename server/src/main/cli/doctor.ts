import { Command } from 'commander';
import type { Finding } from './doctor/finding.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import { answer, withJson } from './operator.ts';

const marks: Record<Finding['state'], string> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };

export const doctorCommand = (): Command =>
  withJson(
    new Command('doctor')
      .description('check every component and suggest fixes; exits 1 if one fails')
      .argument('[parts...]', 'only these checks, such as redis or "media nodes"'),
  ).action(async (parts: string[], { json }: { json?: boolean }) => {
    const findings = await runDoctor({ environment: process.env, parts });
    answer({ json: json ?? false }, findings, [...findings.map(line), summary(findings)].join('\n'));
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
  });

const line = ({ part, state, says, advice }: Finding): string =>
  `${marks[state]}  ${part.padEnd(14)}  ${says}${advice ? `\n${' '.repeat(25)}→ ${advice}` : ''}`;

function summary(findings: Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((each) => each.state === state).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  return faults + warnings === 0 ? '\nAll checks passed.' : `\n${faults} faults, ${warnings} warnings.`;
}
