/** Style of the payment page, with light and dark themes. */
export const style = `
:root {
  --paper: #FAFAF7; --card: #FFFFFF; --line: #E3E3DC; --ink: #12161C; --quiet: #59616E;
  --primary: #2456C9; --primary-hover: #1D47A8; --on-primary: #FFFFFF; --accent: #E8792B;
  --good: #1B7A48; --good-soft: #E4F3EA; --bad: #B3311F; --bad-soft: #FBEAE6; --still-soft: #EFEFEA;
  --warn-soft: #FDF0E4; --field: #F5F5F1; --raised: #FFFFFF;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161C; --card: #1A2029; --line: #2E3744; --ink: #ECEAE4; --quiet: #A3ACBA;
    --primary: #2F63DB; --primary-hover: #3F72E8; --mark: #8FB0FF; --on-primary: #FFFFFF;
    --good: #6FD39C; --good-soft: #17332A; --bad: #FF9C8A; --bad-soft: #3A201D; --still-soft: #262E39;
    --warn-soft: #3A2A1C; --field: #12171F; --raised: #303A48;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
h1, h2, p, dl, dd, ol, form { margin: 0; }
.ribbon {
  display: flex; gap: 8px; align-items: center; justify-content: center; padding: 10px 16px;
  background: var(--accent); color: #12161C; font-size: 14px; line-height: 20px;
}
.ribbon svg, .notice svg { flex: none; }
header, main, footer { width: 100%; max-width: 976px; margin: 0 auto; padding: 0 24px; }
header { display: flex; gap: 8px; align-items: center; padding-top: 32px; padding-bottom: 32px; font-size: 20px; font-weight: 700; letter-spacing: -0.02em; }
header svg { color: var(--mark, var(--primary)); }
main { flex: 1; display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 48px; align-items: start; }
main.alone { grid-template-columns: minmax(0, 520px); justify-content: center; }
footer { padding-top: 40px; padding-bottom: 32px; color: var(--quiet); font-size: 13px; }
.summary { padding-top: 28px; }
.payee { color: var(--quiet); }
.payee b { color: var(--ink); font-weight: 600; }
h1 { margin: 4px 0 24px; font-size: 40px; line-height: 48px; font-weight: 680; letter-spacing: -0.025em; }
h2 { font-size: 18px; line-height: 24px; font-weight: 650; letter-spacing: -0.01em; }
dl { border-top: 1px solid var(--line); }
dl div { padding: 12px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); font-size: 13px; line-height: 18px; }
dd { overflow-wrap: anywhere; }
.card { padding: 28px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.notice { display: flex; gap: 12px; margin: 0 0 24px; padding: 12px 16px; border-radius: 8px; }
.notice + .notice { margin-top: -12px; }
.notice svg { margin-top: 1px; }
.refused { background: var(--bad-soft); color: var(--bad); }
.overdue { background: var(--warn-soft); }
.overdue svg { color: var(--accent); }
.tabs { display: none; }
.panel { margin-top: 20px; }
.panel + .panel { padding-top: 24px; border-top: 1px solid var(--line); }
@supports selector(:has(*)) {
  .tabs { display: flex; gap: 4px; margin-top: 16px; padding: 4px; background: var(--field); border: 1px solid var(--line); border-radius: 8px; }
  .tabs input { position: absolute; opacity: 0; pointer-events: none; }
  .tabs label { flex: 1; padding: 8px; border-radius: 5px; color: var(--quiet); font-weight: 550; line-height: 20px; text-align: center; cursor: pointer; }
  .tabs label::first-letter { text-transform: uppercase; }
  .tabs label:hover { color: var(--ink); }
  .tabs input:checked + label { background: var(--raised); color: var(--ink); box-shadow: 0 1px 3px rgb(0 0 0 / 0.18); }
  .tabs input:focus-visible + label { outline: 2px solid var(--primary); outline-offset: 1px; }
  .tabs ~ .panel { display: none; padding-top: 0; border-top: 0; }
  .card:has(#show-PIX:checked) #panel-PIX, .card:has(#show-BOLETO:checked) #panel-BOLETO,
  .card:has(#show-CREDIT_CARD:checked) #panel-CREDIT_CARD { display: block; }
}
.pix { display: flex; gap: 24px; align-items: center; }
.qr { flex: none; width: 208px; height: 208px; border: 1px solid var(--line); border-radius: 8px; background: #FFFFFF; }
ol { padding-left: 20px; }
li { padding-left: 4px; }
li + li { margin-top: 8px; }
.copyable { display: grid; grid-template-columns: 1fr auto; gap: 8px; align-items: end; margin-top: 20px; }
.copyable code { grid-row: 2; grid-column: 1 / -1; }
.label, .hint { color: var(--quiet); font-size: 13px; line-height: 18px; }
.hint { margin-top: 24px; }
code {
  display: block; padding: 12px 14px; background: var(--field); border: 1px solid var(--line); border-radius: 8px;
  font: 13px/20px ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; word-break: break-all; user-select: all;
}
button { font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer; }
button:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
.copy { min-width: 84px; padding: 5px 12px; background: transparent; color: var(--ink); border: 1px solid var(--line); border-radius: 6px; font-size: 13px; line-height: 18px; }
.copy:hover, .secondary:hover { border-color: var(--quiet); }
.plastic {
  display: flex; flex-direction: column; justify-content: space-between; width: 100%; max-width: 300px; aspect-ratio: 1.586; margin: 0 auto 20px; padding: 20px;
  border-radius: 12px; background: linear-gradient(135deg, #2456C9, #16357E); color: #FFFFFF; font-size: 13px;
}
.plastic b { font-size: 19px; font-weight: 550; letter-spacing: 0.04em; white-space: nowrap; }
.actions { display: grid; gap: 12px; margin-top: 8px; }
.actions button { width: 100%; min-height: 48px; padding: 10px 16px; font-size: 16px; }
.primary { background: var(--primary); color: var(--on-primary); border: 1px solid transparent; }
.primary:hover { background: var(--primary-hover); }
.secondary { background: transparent; color: var(--ink); border: 1px solid var(--line); }
.outcome { text-align: center; }
.outcome dd::first-letter { text-transform: uppercase; }
.outcome p { margin-top: 4px; text-wrap: balance; color: var(--quiet); }
.outcome h2 { font-size: 22px; line-height: 28px; }
.outcome dl { margin-top: 28px; text-align: left; }
.outcome dl div:last-child { padding-bottom: 0; border-bottom: 0; }
.seal { display: grid; place-items: center; width: 64px; height: 64px; margin: 12px auto 20px; border-radius: 50%; background: var(--still-soft); color: var(--quiet); }
[data-status=CONFIRMED] .seal, [data-status=RECEIVED] .seal { background: var(--good-soft); color: var(--good); }
[data-status=CHARGEBACK] .seal { background: var(--bad-soft); color: var(--bad); }
@media (max-width: 760px) {
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 20px; padding-bottom: 20px; }
  main, main.alone { grid-template-columns: minmax(0, 1fr); gap: 24px; }
  .summary { padding-top: 0; }
  h1 { margin-bottom: 16px; font-size: 36px; line-height: 44px; }
  .card { padding: 20px 16px; }
  .pix { flex-direction: column; align-items: stretch; gap: 20px; }
  .qr { width: 100%; max-width: 224px; height: auto; margin: 0 auto; }
  dl div { display: flex; gap: 16px; justify-content: space-between; align-items: baseline; padding: 8px 0; }
  dt { white-space: nowrap; }
  dd { text-align: right; }
  .copy { min-height: 36px; }
}
`;
