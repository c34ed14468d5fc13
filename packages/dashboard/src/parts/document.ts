/** Renders whole pages, with their headers. */

import type { ThemeChoice } from '../visit/screen.ts'
import type { PageAssets } from '../visit/visit.ts'
import { type Html, type HtmlPart, html } from './html.ts'

/** Allows only the service's own scripts, styles and forms, and no frames. */
export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer`, browsers would send no origin with forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** The headers of all pages, which are never cached. */
export const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
} as const

export type Document = {
  readonly title: string
  readonly assets: PageAssets
  readonly theme?: ThemeChoice
  /** Reloads the page after this many seconds if scripts are disabled. */
  readonly refreshSeconds?: number | undefined
  readonly body: HtmlPart
}

export function renderDocument({ title, assets, theme, refreshSeconds, body }: Document): string {
  const refresh =
    refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
  const page = html`
    <html lang="en"${theme !== undefined && html` data-theme="${theme}"`}>
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <title>${title} · Octavo</title>
        <link rel="stylesheet" href="${assets.css}">
        <link rel="icon" href="${FAVICON}">
        <script type="module" src="${assets.script}"></script>
        ${refresh}
      </head>
      <body>${body}</body>
    </html>
  `
  return `<!doctype html>\n${page}\n`
}

const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'%3E%3Crect width='28' height='28' rx='7' fill='%230F766E'/%3E%3Cpath d='M8 6.5h8.5L20.5 10.5V21.5H8z' fill='%23fff'/%3E%3Cpath d='M16.5 6.5V10.5H20.5M8 14h12.5M14.25 14v7.5M8 17.75h12.5' fill='none' stroke='%230F766E' stroke-width='1.5'/%3E%3C/svg%3E"

export function logo(): Html {
  return html`
    <svg class="logo" viewBox="0 0 121 28" role="img" aria-label="Octavo">
      <rect class="logo-mark" width="28" height="28" rx="7"/>
      <path class="logo-sheet" d="M8 6.5h8.5L20.5 10.5V21.5H8z"/>
      <path class="logo-fold" d="M16.5 6.5V10.5H20.5M8 14h12.5M14.25 14v7.5M8 17.75h12.5"/>
      <g class="logo-word">
        <circle cx="43" cy="16" r="5.7"/>
        <path d="M62.7 12.3a5.7 5.7 0 1 0 0 7.4M70 6v13q0 2.7 2.7 2.7h1M66.8 10.5h6.7"/>
        <circle cx="83" cy="16" r="5.7"/>
        <path d="M88.7 10.3v11.4M93.5 10.4l5 11.2 5-11.2"/>
        <circle cx="113" cy="16" r="5.7"/>
      </g>
    </svg>
  `
}

export function htmlResponse(text: string, status = 200): Response {
  return new Response(text, { status, headers: PAGE_HEADERS })
}

/** Redirects after a form, so that reloading the next page does not submit it again. */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
