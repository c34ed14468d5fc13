/** Styles for the page itself, which use the site's colors and sizes. */
import { THUMB } from '../assistant/elements.ts'

const FLAG = 'M5 21V4h14l-3 5 3 5H5'
const mask = (path: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='${path}'/%3E%3C/svg%3E")`

export const STYLES = `
.oct-code:has(.oct-report)>.oct-ran{inset-inline-end:4.25rem}
.oct-feedback{font:400 .875rem/1.375rem var(--oct-font-body);color:var(--oct-text)}
.oct-feedback [hidden]{display:none}
section.oct-feedback{margin-block-start:4rem;padding-block-start:1.5rem;border-block-start:1px solid var(--oct-line)}
.oct-feedback+.oct-modified{margin-block-start:1.5rem}
article:has(>.oct-feedback)+.oct-neighbours{margin-block-start:1.5rem}
.oct-feedback p{margin:0}
.oct-feedback [role=status]{color:var(--oct-strong);font-weight:500;outline-offset:4px}
.oct-feedback [role=status]:empty{display:none}
.oct-feedback form+[role=status],.oct-feedback [role=status]+form{margin-block-start:1rem}
.oct-feedback-ask{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
.oct-feedback-ask p{margin-inline-end:.5rem;color:var(--oct-strong);font-weight:500}
.oct-feedback button{display:inline-flex;align-items:center;gap:.4375rem;block-size:2rem;padding-inline:.75rem;border:1px solid var(--oct-line-strong);border-radius:var(--oct-radius);background:var(--oct-raised);color:var(--oct-strong);font:500 .8125rem/1 var(--oct-font-body);cursor:pointer}
.oct-feedback button:hover{background:linear-gradient(var(--oct-hover) 0 0),var(--oct-raised)}
.oct-feedback-ask button:before{content:"";inline-size:.875rem;block-size:.875rem;background:currentColor;mask:${mask(THUMB)} center/contain}
.oct-feedback-ask .oct-feedback-no:before{rotate:180deg}
.oct-feedback-ask button[aria-pressed=true]{border-color:var(--oct-primary);background:color-mix(in srgb,var(--oct-primary) 8%,var(--oct-raised));color:var(--oct-primary)}
.oct-feedback form{display:grid;gap:1rem;max-inline-size:30rem}
section.oct-feedback form{margin-block-start:1.25rem}
.oct-feedback label{display:grid;gap:.375rem;color:var(--oct-strong);font-size:.8125rem;font-weight:500}
.oct-feedback :is(textarea,input){box-sizing:border-box;inline-size:100%;min-block-size:2.25rem;padding:.4375rem .75rem;border:1px solid var(--oct-line-strong);border-radius:var(--oct-radius);background:var(--oct-page);color:var(--oct-strong);font:400 .875rem/1.25rem var(--oct-font-body)}
.oct-feedback textarea{resize:vertical}
.oct-feedback :is(textarea,input):focus-visible{outline:0;border-color:var(--oct-primary);box-shadow:var(--oct-ring)}
.oct-feedback form>div{display:flex;gap:.5rem}
.oct-feedback form[aria-busy=true]{opacity:.6}
.oct-feedback .oct-feedback-send,.oct-feedback .oct-feedback-send:hover{border-color:transparent;background:var(--oct-button);color:var(--oct-on-button)}
.oct-feedback .oct-feedback-send:hover{background:color-mix(in srgb,var(--oct-button) 86%,var(--oct-strong))}
.oct-feedback form button:not(.oct-feedback-send){border-color:transparent;background:none}
.oct-feedback form button:not(.oct-feedback-send):hover{background:var(--oct-hover)}
dialog.oct-feedback{box-sizing:border-box;inline-size:min(28rem,100vw - 2rem);padding:1.25rem;border:1px solid var(--oct-line);border-radius:calc(var(--oct-radius)*2);background:var(--oct-raised);box-shadow:var(--oct-shadow)}
dialog.oct-feedback::backdrop{background:light-dark(rgb(13 17 23/32%),rgb(0 0 0/60%))}
dialog.oct-feedback h2{margin:0;color:var(--oct-strong);font:600 .9375rem/1.5rem var(--oct-font-body)}
dialog.oct-feedback code{display:block;margin-block:.5rem 1rem;color:var(--oct-muted);font:400 .8125rem/1.25rem var(--oct-font-code);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;direction:ltr}
dialog.oct-feedback>button{margin-block-start:1rem}
.oct-report:before{mask-image:${mask(FLAG)}}
.oct-copy+.oct-report{inset-inline-end:2.25rem}
.oct-code:not(:has(figcaption))>.oct-copy+.oct-report{inset-inline-end:2.125rem;box-shadow:.25rem 0 var(--oct-code-ground)}
.oct-copy:has(+.oct-report){z-index:2}
.oct-code:has(>.oct-copy+.oct-report) figcaption{padding-inline-end:5rem}
.oct-code[data-language]:has(>.oct-copy+.oct-report) figcaption{padding-inline-end:9.5rem}
.oct-code[data-language]:has(>.oct-copy+.oct-report):after{inset-inline-end:4.625rem}
.oct-code-group:has(.oct-copy+.oct-report)>.oct-tab-list{padding-inline-end:4.25rem}
@media(width<60rem){.oct-feedback button{block-size:2.5rem;padding-inline:1rem;font-size:.875rem}.oct-feedback :is(textarea,input){font-size:1rem}}
@media print{.oct-feedback{display:none}}
`
