/**
 * The styles of the panel. They use the site's colors and sizes; the shadow root isolates them from
 * the site's other styles.
 */
export const PANEL_STYLES = `
:host{all:initial;color-scheme:inherit;--wide:27.5rem;--faint:var(--oct-muted);--r:var(--oct-radius,.5rem);color:var(--oct-text);font:400 .9375rem/1.5rem var(--oct-font-body);-webkit-font-smoothing:antialiased}
:host([hidden]),[hidden]{display:none!important}
*{box-sizing:border-box;margin:0;padding:0;font:inherit;letter-spacing:inherit;color:inherit}
button{border:0;background:none;cursor:pointer;text-align:start}
ul,ol{list-style:none}
a{text-decoration:none}
:focus-visible{outline:2px solid var(--oct-primary);outline-offset:2px;border-radius:var(--oct-radius-row,.375rem)}
.i{flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.i[width="12"],.i[width="14"]{stroke-width:2}
.i-stop{fill:currentColor}
:is(.code-head,.rate) .i{width:14px;height:14px;stroke-width:2}
[dir=rtl] .i-next,:host-context([dir=rtl]) :is(.i-next,.i-source){scale:-1 1}
section{position:fixed;z-index:30;inset-block:calc(var(--top) + 1px) 0;inset-inline-end:0;width:var(--wide);max-width:100%;display:grid;grid-template-rows:auto minmax(0,1fr) auto;border-inline-start:1px solid var(--oct-line);background:var(--oct-page)}
header{display:flex;align-items:center;height:3.25rem;padding-inline:1.25rem .75rem}
header>.i{margin-inline-end:.5rem;color:var(--oct-primary)}
h2{flex:1;color:var(--oct-strong);font-weight:600;font-size:.875rem}
h3,h4{color:var(--oct-muted);font-weight:500;font-size:.8125rem;line-height:1.25rem}
.icon{display:grid;place-items:center;flex:none;width:2rem;height:2rem;border-radius:var(--r);color:var(--oct-muted)}
.icon:hover,.icon[aria-pressed=true]{background:var(--oct-hover);color:var(--oct-strong)}
.icon[aria-pressed=true]{color:var(--oct-primary)}
.icon.done{color:var(--oct-green,var(--oct-primary))}
.talk{overflow-y:auto;padding:.5rem 1.25rem 1.5rem;scrollbar-width:thin;overflow-wrap:anywhere;scroll-padding-block:.5rem 1.5rem}
.turn+.turn{margin-top:2rem}
.turn:last-child:not(:first-child){min-height:100%}
.me{width:fit-content;max-width:88%;margin:0 0 1.25rem;margin-inline-start:auto;padding:.5rem .875rem;border-radius:1rem;border-end-end-radius:.25rem;background:color-mix(in srgb,var(--oct-strong) 6%,var(--oct-page));color:var(--oct-strong);white-space:pre-wrap}
.did{margin-bottom:.75rem;color:var(--oct-muted);font-size:.8125rem;line-height:1.25rem}
summary{display:inline-flex;align-items:center;gap:.375rem;cursor:pointer}
summary::-webkit-details-marker{display:none}
summary:hover{color:var(--oct-strong)}
.did[open] .i-next{rotate:90deg}
.did ul{margin:.5rem 0 0;margin-inline-start:.4375rem;padding-inline-start:1rem;border-inline-start:1px solid var(--oct-line)}
.did ul:empty{display:none}
.did li{display:flex;align-items:center;gap:.5rem;padding:.1875rem 0}
.did b{font-weight:500;color:var(--oct-text)}
.say>*+*{margin-top:.75rem}
.say :is(ul,ol){padding-inline-start:1.25rem}
.say ul{list-style:disc}.say ol{list-style:decimal}
.say li+li,.say li>*{margin-top:.25rem}
.say strong,.title{color:var(--oct-strong);font-weight:600}
.say em{font-style:italic}
.say a:not(.cite){color:var(--oct-strong);font-weight:500;text-decoration:underline;text-decoration-color:var(--oct-tint-line,var(--oct-primary));text-underline-offset:.22em}
.say a:not(.cite):hover{color:var(--oct-primary)}
.say small{color:var(--oct-muted);font-size:.8125rem}
code{padding:.1em .3em;border-radius:.25rem;background:color-mix(in srgb,var(--oct-strong) 6%,transparent);color:var(--oct-strong);font-family:var(--oct-font-code);font-size:.865em;font-variant-ligatures:none}
blockquote{padding-inline-start:.875rem;border-inline-start:2px solid var(--oct-line)}
.code{border:1px solid var(--oct-line);border-radius:var(--oct-radius-large,.75rem);background:var(--oct-code-ground,var(--oct-sunken));overflow:hidden}
.code-head{display:flex;align-items:center;gap:.5rem;height:2.5rem;padding-inline:.875rem .25rem;border-bottom:1px solid var(--oct-line);color:var(--oct-muted);font-weight:500;font-size:.8125rem}
.code-head span{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
pre{padding:.75rem .875rem;line-height:1.25rem;overflow-x:auto;scrollbar-width:thin;overflow-wrap:normal}
pre:focus-visible,.table:focus-visible{outline-offset:-2px}
pre code{padding:0;background:none;font-size:.8125rem;white-space:pre}
.table{overflow-x:auto;border:1px solid var(--oct-line);border-radius:var(--oct-radius-large,.75rem);font-size:.875rem;line-height:1.375rem}
table{border-collapse:collapse;min-width:100%}
th{background:var(--oct-sunken);color:var(--oct-muted);font-weight:500;font-size:.8125rem}
:is(th,td){padding:.5rem .75rem;text-align:start;overflow-wrap:normal}
tr+tr td{border-top:1px solid var(--oct-line)}
.cite{margin-inline:.125rem .0625rem;padding:.125rem .3125rem;border-radius:.25rem;background:var(--oct-tint);color:var(--oct-primary);font:550 .6875rem/1 var(--oct-font-body);font-variant-numeric:tabular-nums;vertical-align:.125em}
a.cite:hover{background:var(--oct-button);color:var(--oct-on-button)}
.asking>:last-child:not(.code,.table)::after,.asking>:last-child.code pre::after{content:"";display:inline-block;width:.5rem;height:1.1em;margin-inline-start:.125rem;vertical-align:-.2em;border-radius:1px;background:var(--oct-primary);opacity:.4}
.sources{all:unset;display:block;margin-top:1.25rem}
.sources ol{margin-top:.375rem;border:1px solid var(--oct-line);border-radius:var(--oct-radius-large,.75rem);overflow:hidden}
.sources li+li{border-top:1px solid var(--oct-line)}
.sources a{display:grid;grid-template-columns:auto minmax(0,1fr) auto;align-items:center;gap:0 .625rem;padding:.5rem .75rem}
.sources a:hover{background:var(--oct-sunken)}
.sources a:focus-visible{outline-offset:-2px}
.sources a>.i{grid-row:1/span 2;grid-column:3;color:var(--faint)}
.sources b{color:var(--oct-strong);font-weight:500;font-size:.8125rem;line-height:1.25rem}
.sources small{grid-column:2;color:var(--oct-muted);font-size:.75rem;line-height:1rem}
.sources :is(b,small){overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sources :is(.cite,.tile){grid-row:span 2;margin:0;line-height:.875rem}
.tile{display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:var(--r);background:var(--oct-sunken);color:var(--oct-muted)}
.quote{margin-top:.375rem;padding-inline-start:.9375rem;border-inline-start:2px solid var(--oct-primary);color:var(--oct-strong)}
.matches{margin-top:1.25rem;padding-top:1rem;border-top:1px solid var(--oct-line)}
div.matches{margin:0;padding:0;border:0}
div.matches>h3{color:var(--oct-strong);font-weight:600;font-size:.875rem}
details.matches{color:var(--oct-muted);font-size:.8125rem;line-height:1.25rem}
.matches[open] summary .i{rotate:90deg}
.match{margin-top:.625rem;padding:.75rem;border:1px solid var(--oct-line);border-radius:var(--oct-radius-large,.75rem);color:var(--oct-text);font-size:.875rem;line-height:1.375rem}
.match>a{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:center;gap:0 .625rem;margin-bottom:.375rem}
.match>a>.i{grid-area:1/2/span 2;color:var(--faint)}
.match small{color:var(--oct-muted);font-size:.75rem;line-height:1rem}
.match a>b{color:var(--oct-strong);font-weight:600;font-size:.875rem;line-height:1.25rem}
.match>a:hover b{color:var(--oct-primary)}
.rate{display:flex;flex-wrap:wrap;align-items:center;gap:.125rem;margin-top:.625rem;margin-inline-start:-.5rem;color:var(--oct-muted);font-size:.8125rem}
.rate span{margin-inline-start:.5rem}
.why{margin-top:.5rem;font-size:.8125rem}
.why p{color:var(--oct-muted);font-weight:500}
.why div,.why form{display:flex;flex-wrap:wrap;gap:.375rem;margin-top:.375rem}
.why button,.forget{padding:.25rem .625rem;border:1px solid var(--oct-line);border-radius:var(--r);color:var(--oct-text)}
.why input{flex:1;min-width:0;padding:.25rem .5rem;border:1px solid var(--oct-line-strong);border-radius:var(--r);background:var(--oct-page);color:var(--oct-text);font:inherit}
.why button:hover,.forget:hover{background:var(--oct-hover);color:var(--oct-strong)}
.none{display:grid;grid-template-columns:1rem minmax(0,1fr);gap:.75rem;padding:.8125rem 1rem;border:1px solid var(--oct-line);border-radius:var(--oct-radius-large,.75rem);background:var(--oct-sunken)}
.none>.i{margin-top:.25rem;color:var(--oct-muted)}
.none b{color:var(--oct-strong);font-weight:600}
.end>.none{margin-top:.75rem}
.hello{display:flex;flex-direction:column;justify-content:flex-end;min-height:100%;padding-bottom:.25rem}
.hello .tile{width:2.5rem;height:2.5rem;margin-bottom:1rem;border-radius:.625rem;background:var(--oct-tint);color:var(--oct-primary)}
.hello h3{color:var(--oct-strong);font:600 1.125rem/1.625rem var(--oct-font-body);letter-spacing:-.014em}
.hello p{margin-top:.25rem;color:var(--oct-muted)}
.hello>.starters:not(:empty){margin-top:1.5rem}
.starters h4{margin-bottom:.25rem}
.starters button:not(.forget){display:flex;align-items:center;gap:.625rem;width:calc(100% + 1.25rem);margin-inline:-.625rem;padding:.5rem .625rem;border-radius:var(--r);color:var(--oct-strong);font-size:.875rem;line-height:1.25rem}
.starters button:hover{background:var(--oct-hover)}
.starters .i{color:var(--faint)}
.forget{display:flex;align-items:center;gap:.5rem;align-self:start;margin-top:1rem;font-size:.8125rem}
.hello.starters{justify-content:start}
.hello.starters p{margin-bottom:1rem;font-size:.8125rem}
.compose{position:relative;padding:.75rem 1.25rem;background:var(--oct-page)}
.compose::before{content:"";position:absolute;inset:-1.5rem 0 auto;height:1.5rem;background:linear-gradient(to top,var(--oct-page),transparent);pointer-events:none}
.box{padding:.5rem;border:1px solid var(--oct-line-strong);border-radius:.875rem;background:var(--oct-raised);box-shadow:var(--oct-lift)}
.box:hover{border-color:var(--faint)}
.box:focus-within{border-color:var(--oct-primary);box-shadow:var(--oct-ring)}
textarea{display:block;width:100%;min-height:2.5rem;max-height:10rem;padding:.375rem .375rem 0;border:0;outline:0!important;background:none;resize:none;color:var(--oct-strong);field-sizing:content}
textarea::placeholder{color:var(--oct-muted);opacity:1}
.row{display:flex;align-items:center;gap:.5rem;min-height:2rem}
.chip{display:inline-flex;align-items:center;gap:.375rem;min-width:0;height:1.75rem;padding-inline:.5rem .25rem;border:1px solid var(--oct-line);border-radius:var(--r);color:var(--oct-muted);font-weight:500;font-size:.75rem;line-height:1.25rem;white-space:nowrap}
.chip b{color:var(--oct-strong);overflow:hidden;text-overflow:ellipsis}
.chip .icon{width:1.25rem;height:1.25rem;border-radius:.25rem}.chip .icon .i{width:12px;height:12px}
.send{display:grid;place-items:center;flex:none;width:2rem;height:2rem;margin-inline-start:auto;border-radius:var(--r);background:var(--oct-button);color:var(--oct-on-button)}
.send[aria-disabled=true]{background:color-mix(in srgb,var(--oct-strong) 8%,var(--oct-page));color:var(--oct-muted);cursor:default}
.send.stop{background:var(--oct-strong);color:var(--oct-page)}
.caution{margin-top:.5rem;color:var(--oct-muted);font-size:.75rem;line-height:1rem;text-align:center}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.shade{display:none}
@media(width<90rem){:host{--wide:25rem}}
@media(width<75rem){section{box-shadow:var(--oct-shadow)}}
@media(width<40rem){
section{inset:3rem 0 0;z-index:42;width:100%;border:0;border-radius:1rem 1rem 0 0;overflow:hidden}
.shade{display:block;position:fixed;inset:0;z-index:41;background:light-dark(rgb(13 17 23/32%),rgb(0 0 0/60%))}
header{padding-inline-start:1rem}.talk,.compose{padding-inline:1rem}
textarea{font-size:1rem}.icon:not(.chip *){width:2.5rem;height:2.5rem}
}
@media(prefers-reduced-motion:no-preference){
.i-spin{animation:spin .9s linear infinite}
.asking>:last-child::after,.asking pre::after{animation:blink 1s steps(2) infinite}
.did .i-next{transition:rotate .18s}
@media(width<75rem){section{animation:rise .24s cubic-bezier(.2,.8,.2,1)}}
}
@keyframes spin{to{rotate:1turn}}@keyframes blink{50%{opacity:.1}}@keyframes rise{from{opacity:0;translate:0 .5rem}}
@media print{:host{display:none}}
`

/**
 * Makes room for the panel next to the text. All versions of the theme have these class names; on a
 * page without them, the panel covers the text.
 */
export const PAGE_STYLES = `
@media(width>=75rem){
.oct-asking{--oct-asked:25rem;--oct-samples:100%}
.oct-asking :is(.oct-layout,.oct-footer){padding-inline-end:max(var(--oct-edge),calc(var(--oct-asked) + 3rem - (100vw - min(100vw,var(--oct-width)))/2))}
.oct-asking body:not(.oct-no-sidebar) .oct-layout{grid-template-columns:var(--oct-sidebar) minmax(0,1fr)}
.oct-asking body:not(.oct-no-sidebar) main{grid-column:2;padding-inline-end:0}
.oct-asking .oct-contents{display:none}
.oct-asking .oct-has-side main>article{display:block}
.oct-asking .oct-has-side main>article>.oct-side{position:static;max-height:none}
.oct-asking .oct-has-side .oct-neighbours{margin-inline-end:0}
}
@media(width>=90rem){.oct-asking{--oct-asked:27.5rem}}
@media(width<40rem){.oct-asking{overflow:hidden}}
.oct-ask-code{position:absolute;inset:auto .375rem .375rem auto;z-index:1;display:grid;place-items:center;width:1.75rem;height:1.75rem;padding:0;border:1px solid var(--oct-line);border-radius:var(--oct-radius-row);background:var(--oct-raised);color:var(--oct-muted);cursor:pointer;opacity:0}
.oct-ask-code:hover{color:var(--oct-strong)}
:hover>.oct-ask-code,.oct-ask-code:focus-visible{opacity:1}
.oct-ask-code svg{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
@media print{.oct-ask-code{display:none}}
`
