import type { Config } from '@octavo/model'
import { type Html, html } from '../markup/html.ts'
import { siteHref } from '../markup/safe-address.ts'

const COLOR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i

/** Renders the links to the favicons. `found` is an icon at the root of the repository. */
export function renderFavicons({ favicon, name, colors }: Config, found?: string): Html {
  const written = favicon ?? found
  // Without any icon, browsers would request a missing file on every visit.
  if (written === undefined)
    return html`<link rel="icon" href="${letterIcon(name, colors.primary)}">`
  if (typeof written === 'string') return html`<link rel="icon" href="${siteHref(written)}">`
  return html`<link rel="icon" href="${siteHref(written.light)}" media="(prefers-color-scheme: light)"><link rel="icon" href="${siteHref(written.dark)}" media="(prefers-color-scheme: dark)">`
}

/** Returns an icon with the site's first letter, small enough to be inlined in every page. */
function letterIcon(name: string, color: string): string {
  const [letter = ''] = name.match(/[\p{L}\p{N}]/u) ?? []
  const fill = COLOR.test(color) ? color : '#555'
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='${fill}'/><text x='16' y='23' text-anchor='middle' font-family='sans-serif' font-size='20' fill='#fff'>${letter}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)
    .replaceAll('%20', ' ')
    .replaceAll('%3D', '=')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
    .replaceAll('%27', "'")}`
}
