/**
 * Sign-in and sign-out pages for readers of a private site. They are served on the site's host and
 * load no files: style and script are inline, and the content security policy allows them by their
 * digests.
 */
import { Html, type HtmlPart, html } from './parts/html.ts'

/** The name and logo of a site on its sign-in page. */
export type ReaderBrand = {
  readonly name: string
  /** Logos as `data:` URLs. */
  readonly logo?: { readonly light: string; readonly dark: string } | undefined
}

type ReaderPage = {
  readonly title: string
  readonly brand?: ReaderBrand | undefined
  readonly text: string
  /** The error message, which is shown in red above the form. */
  readonly error?: string | undefined
  readonly body?: HtmlPart
  readonly script?: string | undefined
  /** The path of the site, such as `/docs`; empty at the root of the host. */
  readonly base: string
}

export type ReaderForm = {
  readonly base: string
  readonly host: string
  /** The URL that the form is sent to. */
  readonly action: string
  readonly error?: string | undefined
}

function renderReaderPage(page: ReaderPage): string {
  const { title, brand, text, error, body, script, base } = page
  const document = html`
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <title>${title}${brand && ` · ${brand.name}`}</title>
        <style>${new Html(READER_STYLE)}</style>
      </head>
      <body data-base="${base}">
        <main>
          ${brand?.logo === undefined ? LOCK : logoPicture(brand.logo)}
          ${brand && html`<p class="site">${brand.name}</p>`}
          <h1>${title}</h1>
          <p>${text}</p>
          ${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
          ${body}
        </main>
        ${script !== undefined && html`<script>${new Html(script)}</script>`}
      </body>
    </html>
  `
  return `<!doctype html>\n${document}\n`
}

const LOCK = html`
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M6.5 10.5h11v9h-11zM8.5 10.5v-3a3.5 3.5 0 0 1 7 0v3"/>
  </svg>
`

/** The logo has no alternative text, since the name of the site is next to it. */
const logoPicture = ({ light, dark }: NonNullable<ReaderBrand['logo']>): Html => html`
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset="${dark}">
    <img src="${light}" alt="">
  </picture>
`

export function renderPasswordForm(
  form: ReaderForm & { readonly brand?: ReaderBrand | undefined },
) {
  const { base, host, action, error, brand } = form
  return renderReaderPage({
    title: 'Enter the password',
    brand,
    text: `${host} is private. Ask the person who sent you the link for the password.`,
    error,
    base,
    body: html`
      <form method="post" action="${action}">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required maxlength="200"
          autocomplete="current-password" autofocus>
        <button>View the site</button>
      </form>
    `,
  })
}

/**
 * Renders a page that removes the token from the URL, so that it is not in the browser history, and
 * submits it.
 */
export function renderJwtArrival({ base, host, action }: ReaderForm): string {
  return renderReaderPage({
    title: 'Signing you in',
    text: `One moment. ${host} is checking who you are.`,
    base,
    script: JWT_SCRIPT,
    body: html`
      <form method="post" action="${action}"><input type="hidden" name="jwt"></form>
      <p class="quiet" id="missing">
        If nothing happens, <a href="${base}/login">sign in again</a>. Signing in needs JavaScript.
      </p>
    `,
  })
}

export function renderSignOutForm({ base, host, action }: ReaderForm): string {
  return renderReaderPage({
    title: 'Sign out?',
    text: `You will be signed out of ${host} in this browser.`,
    base,
    body: html`
      <form method="post" action="${action}"><button>Sign out</button></form>
      <p class="quiet"><a href="${base}/">Back to the site</a></p>
    `,
  })
}

export function renderSignedOut({ base, host }: Pick<ReaderForm, 'base' | 'host'>): string {
  return renderReaderPage({
    title: 'You are signed out',
    text: `This browser no longer has access to ${host}.`,
    base,
    script: SIGN_OUT_SCRIPT,
    body: link(`${base}/login`, 'Sign in again'),
  })
}

/** Renders an error message with a link to sign in. */
export function renderReaderMessage({
  base,
  title,
  text,
}: Pick<ReaderPage, 'base' | 'title' | 'text'>): string {
  return renderReaderPage({ title, text, base, body: link(`${base}/login`, 'Sign in again') })
}

const link = (url: string, text: string): Html =>
  html`<p><a class="button" href="${url}">${text}</a></p>`

export const JWT_SCRIPT =
  "const token=location.hash.slice(1);history.replaceState(null,'',location.pathname+location.search);if(token){const form=document.forms[0];form.elements.jwt.value=token;form.submit()}"

/** Deletes stored data that reveals what a reader read or asked. */
export const SIGN_OUT_SCRIPT =
  "try{for(const key of Object.keys(localStorage))if(key==='octavo-assistant'+document.body.dataset.base||key==='octavo-searches'||key.startsWith('octavo-credentials '))localStorage.removeItem(key)}catch{}"

export const READER_STYLE = `:root{--page:#f7f8f8;--card:#fff;--line:#d9dee0;--text:#16201f;--quiet:#55615f;--strong:#0f766e;--on:#fff;--bad:#b42318;font:16px/1.5 system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--page:#0f1514;--card:#18201f;--line:#33403e;--text:#e8efee;--quiet:#a3b1af;--strong:#2dd4bf;--on:#06201d;--bad:#ff9a8f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--text)}
main{width:100%;max-width:25rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.875rem}
svg{display:block;width:2.25rem;margin:0 0 .75rem -.375rem;fill:none;stroke:var(--strong);stroke-width:1.5;stroke-linejoin:round}
img{display:block;max-width:100%;height:2.5rem;margin:0 0 .75rem;object-fit:contain;object-position:left}
.site{margin:0 0 .25rem;font-weight:600;color:var(--text)}
h1{margin:0;font-size:1.375rem;line-height:1.3}
p{margin:.5rem 0 0;color:var(--quiet);overflow-wrap:anywhere}
.error{color:var(--bad)}
.quiet{font-size:.875rem;margin-top:1rem}
a{color:var(--strong)}
form{display:grid;gap:.5rem;margin-top:1.5rem}
form:has([type=hidden]){display:none}
label{font-size:.875rem;font-weight:600}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:.5rem}
button,.button{display:inline-block;width:100%;min-height:2.75rem;margin-top:.5rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--on);background:var(--strong);border:0;border-radius:.5rem;cursor:pointer}
.button{margin-top:1rem}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
`
