import type { Locale } from './mail.ts';
import type { MailContent } from './template.ts';

const pasteLink: Record<Locale, string> = {
  'pt-BR': 'Se o botão não funcionar, copie este endereço no navegador:',
  en: 'If the button does not work, copy this address into your browser:',
};

const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;";

/**
 * Renders the HTML part. Inline styles define the light theme, for mail clients that drop the style element; the
 * element only adds the dark theme and the mobile width. Outlook supports neither max-width nor padding on links, so it
 * gets two table cells.
 */
export function htmlPart(locale: Locale, content: MailContent) {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(content.subject)}</title>
<style>${adaptiveStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#FAFAF7;">
<div style="display:none;max-height:0;overflow:hidden;">${escaped(content.preview)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>
<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->
<div class="frame" style="max-width:560px;margin:0 auto;padding:40px 20px;${fonts}">
<div class="brand" style="padding:0 0 16px;font-size:20px;line-height:24px;font-weight:700;letter-spacing:-0.02em;color:#2456C9;">Disca</div>
<div class="card" style="padding:36px 40px 24px;background:#FFFFFF;border:1px solid #E3E3DC;border-radius:8px;">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:650;letter-spacing:-0.01em;color:#12161C;">${prose(content.title)}</h1>
${content.paragraphs.map(paragraph).join('\n')}
${content.action ? action(locale, content.action) : ''}
${content.notes.map(note).join('\n')}
</div>
<p class="quiet" style="margin:0;padding:20px 0 0;font-size:13px;line-height:20px;color:#5B6472;">${prose(content.reason)}</p>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</body>
</html>
`;
}

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 12px;font-size:16px;line-height:25px;color:#12161C;overflow-wrap:anywhere;">${prose(text)}</p>`;

const note = (text: string) =>
  `<p class="quiet" style="margin:0 0 12px;font-size:14px;line-height:21px;color:#5B6472;">${prose(text)}</p>`;

function action(locale: Locale, { label, link }: { label: string; link: string }) {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0;"><tr>
<td class="button" bgcolor="#2456C9" style="background:#2456C9;border-radius:8px;mso-padding-alt:13px 24px;"><a class="button" href="${escaped(link)}" style="display:inline-block;padding:13px 24px;border-radius:8px;font-size:16px;line-height:22px;font-weight:600;color:#FFFFFF;text-decoration:none;${fonts}">${escaped(label)}</a></td>
</tr></table>
<p class="quiet" style="margin:0 0 20px;font-size:13px;line-height:20px;color:#5B6472;">${pasteLink[locale]}<br><a class="link" href="${escaped(link)}" style="color:#2456C9;overflow-wrap:anywhere;word-break:break-word;">${escaped(link)}</a></p>`;
}

const adaptiveStyle = `
@media (max-width:480px){.frame{padding:24px 12px!important}.card{padding:28px 20px 16px!important}}
@media (prefers-color-scheme:dark){
.paper{background:#12161C!important}
.card{background:#1A2029!important;border-color:#2B3340!important}
.ink{color:#ECEAE4!important}
.quiet{color:#9AA3B2!important}
.brand,.link{color:#8FB0FF!important}
.button{background:#2F63DB!important;color:#FFFFFF!important}
}
`;

/** Escapes text and prevents line breaks after "e-". */
function prose(text: string) {
  return escaped(text).replace(/\be-mail\b/gi, '<span style="white-space:nowrap;">$&</span>');
}

function escaped(text: string) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
