import type { Session } from '../../../api/session.ts';
import type { Extension } from '../queries.ts';

/** Softphones with set-up instructions, and what their QR code contains. */
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

/** Default SIP ports; the operator may configure another address. */
export const ports = { tls: 5061, plain: 5060 } as const;

/** SIP addresses by transport (UDP or TCP, and TLS) as `host:port`; null to use the domain. */
export type Softphones = Session['softphones'];

/** Content of the QR code: a whole account for Grandstream Wave, the password as text for other apps. */
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
    // The app accepts ASCII only.
    DisplayName: `${first_name} ${last_name}`.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, ''),
  };
  const inside = Object.entries(fields).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8"?><AccountConfig version="1"><Account>${inside.join('')}</Account></AccountConfig>`;
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[<>&"]/g, (sign) => entities[sign] ?? sign);
