/**
 * Styles for a shadow root. They do not affect the site, and the site's styles do not affect them.
 */
export const STYLES = `
:host{all:initial}
.bar{position:fixed;inset-block-end:16px;inset-inline:0;margin-inline:auto;z-index:2147483000;box-sizing:border-box;
  width:fit-content;max-width:calc(100vw - 32px);display:flex;flex-wrap:wrap;align-items:center;gap:8px 14px;
  padding:8px 10px 8px 16px;border-radius:12px;font:13px/20px system-ui,sans-serif;color:#f4f4f5;background:#18181b;
  border:1px solid #3f3f46;box-shadow:0 8px 24px #0006}
.name{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:min(320px,60vw)}
.note{color:#fcd34d}
button,summary{font:inherit;color:inherit;cursor:pointer;border-radius:8px}
summary{padding:3px 8px}
button{border:1px solid #52525b;background:#27272a;padding:3px 10px}
button:hover{background:#3f3f46}
button[aria-pressed=true]{background:#15803d;border-color:#22c55e}
.close{margin-inline-start:auto;border-color:transparent;background:none;font-size:18px;line-height:1;padding:3px 8px}
.changes{display:flex;gap:8px}
details{position:relative}
ul{position:absolute;inset-block-end:34px;inset-inline-start:-12px;margin:0;padding:8px;list-style:none;width:max-content;
  max-width:min(480px,80vw);max-height:50vh;overflow:auto;background:#18181b;border:1px solid #3f3f46;border-radius:12px}
li{display:flex;gap:10px;padding:3px 6px;overflow-wrap:anywhere}
li span:first-child{flex:none;width:64px;color:#a1a1aa}
li .added{color:#4ade80}li .removed{color:#f87171}
a{color:#93c5fd;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid #93c5fd;outline-offset:2px}
[hidden]{display:none}
`
