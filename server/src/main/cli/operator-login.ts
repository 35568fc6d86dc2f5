import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { createPasswords } from '../../contexts/access/index.ts';
import {
  findOperator,
  logInOperator,
  logOutOperator,
  setUpOperator,
} from '../../contexts/operators/index.ts';
import { answer, asOperator, withJson } from './operator.ts';
import {
  operatorSessionFile,
  readOperatorToken,
  removeOperatorToken,
  writeOperatorToken,
} from './operator-session.ts';

type Json = { json?: boolean };

/** Login of named operators. `disca login` is that of users of an account. */
export function operatorLoginCommands(): Command {
  const operator = new Command('operator').description('log in as an operator');

  withJson(
    operator
      .command('set-up')
      .description('choose a password and add an app, with a set-up code')
      .argument('<name>', 'name of the operator'),
  ).action(async (name: string, options: Json) => {
    const [code = '', password = ''] = await askFor('Set-up code: ', 'New password: ');
    await asOperator(async (resources) => {
      const made = await setUpOperator(
        { ...resources, passwords: createPasswords() },
        { name, code, password },
      );
      answer(
        options,
        made,
        `Add this secret to your app: ${made.secret}\n${made.uri}\nThen log in: disca operator login ${name}`,
      );
    });
  });

  withJson(
    operator
      .command('login')
      .description('log in for 12 hours, with the password and the code of the app')
      .argument('<name>', 'name of the operator')
      .option('--print', 'print the session for DISCA_OPERATOR_TOKEN instead of storing it'),
  ).action(async (name: string, options: Json & { print?: boolean }) => {
    const [password = '', otp = ''] = await askFor('Password: ', 'Code of your app: ');
    await asOperator(async (resources) => {
      const deps = { ...resources, passwords: createPasswords() };
      const { token, operator: who, expiresAt } = await logInOperator(deps, { name, password, otp });
      const shown = { name: who.name, role: who.role, expiresAt };
      if (options.print) return answer(options, { ...shown, token }, token);
      writeOperatorToken(token);
      answer(
        options,
        shown,
        `${who.name} is logged in as ${who.role} until ${expiresAt.toISOString()}; the session is in ${operatorSessionFile()}.`,
      );
    });
  });

  withJson(operator.command('logout').description('end the session')).action(async (options: Json) => {
    const token = readOperatorToken();
    if (token) await asOperator((resources) => logOutOperator(resources, token));
    removeOperatorToken();
    answer(options, { loggedOut: token !== undefined }, token ? 'Logged out.' : 'Not logged in.');
  });

  withJson(operator.command('whoami').description('show who is logged in')).action(async (options: Json) => {
    await asOperator(async (resources) => {
      const who = await findOperator(resources, readOperatorToken() ?? '');
      answer(
        options,
        who ?? null,
        who ? `${who.name}, ${who.role}` : 'Not logged in; there are no operators yet.',
      );
    });
  });
  return operator;
}

/** Prompts without echo, or reads one line per question from stdin without a terminal. */
async function askFor(...questions: string[]): Promise<string[]> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split('\n').map((line) => line.trim());
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const answers: string[] = [];
  for (const question of questions) {
    process.stderr.write(question);
    answers.push((await terminal.question('')).trim());
    process.stderr.write('\n');
  }
  terminal.close();
  return answers;
}
