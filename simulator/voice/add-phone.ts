import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectInterface } from './interface.ts';
import { putPhone } from './phones.ts';

// Adds a softphone to a simulator in a container: add-phone RAMAL@DOMAIN SENHA
const [login = '', password = ''] = process.argv.slice(2);
const [, ramal, domain] = /^([0-9]+)@(.+)$/.exec(login) ?? [];
const { EDGE: edge, ARI_PORT: port, ARI_PASSWORD_FILE: file } = process.env;
if (!ramal || !domain || !password || !edge || !port || !file) {
  process.stderr.write(
    'Usage: add-phone RAMAL@DOMAIN SENHA, with EDGE, ARI_PORT and ARI_PASSWORD_FILE set.\n',
  );
  process.exit(1);
}
const engine = connectInterface({
  ariUrl: `http://127.0.0.1:${port}/ari`,
  amiPort: 0,
  password: readFileSync(file, 'utf8').trim(),
});
await putPhone(engine, `phone-${randomBytes(5).toString('hex')}`, { ramal, domain, password, edge });
process.stdout.write(`${login} registers at ${edge} in a second or two.\n`);
