import type { Session } from '../../../api/session.ts';
import type { Extension } from '../queries.ts';

/** The softphones that are explained, and what a code on the screen can do for each. */
export const apps = [
  { name: 'wave', label: 'Grandstream Wave', code: 'account' },
  { name: 'linphone', label: 'Linphone', code: 'password' },
  { name: 'zoiper', label: 'Zoiper', code: 'password' },
  { name: 'groundwire', label: 'Acrobits Groundwire', code: 'password' },
  { name: 'microsip', label: 'MicroSIP', code: 'none' },
  { name: 'other', label: undefined, code: 'password' },
] as const;

export type App = (typeof apps)[number];

export const steps = ['first', 'second', 'third'] as const;

/** Where phones reach the edge, unless the operator tells another address. */
export const ports = { tls: 5061, plain: 5060 } as const;

/** Where they reach it by UDP or TCP, and by TLS, as `host:port`; null where the domain leads there. */
export type Softphones = Session['softphones'];

/** What the code says. Wave reads a whole account out of it; any camera reads a password to be copied. */
export function codeText(app: App, extension: Extension, { plain }: Softphones): string | undefined {
  const { senha } = extension;
  if (senha === undefined || app.code === 'none') return undefined;
  return app.code === 'account' ? waveAccount(extension, senha, plain ?? '') : senha;
}

function waveAccount(
  { ramal, domain, first_name, last_name }: Extension,
  senha: string,
  server: string,
): string {
  const fields = {
    RegisterServer: domain,
    OutboundServer: server,
    UserID: ramal,
    AuthID: ramal,
    AuthPass: senha,
    AccountName: `${ramal} Disca`,
    // It reads nothing beyond ASCII.
    DisplayName: `${first_name} ${last_name}`.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, ''),
  };
  const inside = Object.entries(fields).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8"?><AccountConfig version="1"><Account>${inside.join('')}</Account></AccountConfig>`;
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[<>&"]/g, (sign) => entities[sign] ?? sign);
