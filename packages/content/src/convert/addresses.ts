/** Rewrites the addresses of links and images in Markdown. */
import { readParts } from '../foreign/attribute-lists.ts'

/**
 * Returns the edit of the address in `](address "title")` or `[name]: address`. Undefined if the
 * address is not found as written.
 */
export function addressEdit(
  source: string,
  { url, put }: { readonly url: string; readonly put: string },
): { readonly start: number; readonly end: number; readonly put: string } | undefined {
  const opening = /\](?:\(|:)\s*(<?)/.exec(source)
  if (opening === null) return undefined
  const start = opening.index + opening[0].length
  const isAngled = opening[1] === '<'
  const length = source.slice(start).search(isAngled ? />/ : /[\s)]*$|\s/)
  const candidates = [url, source.slice(start, start + Math.max(0, length))]
  const written = candidates.find((one) => one !== '' && source.startsWith(one, start))
  if (written === undefined) return undefined
  const from = isAngled ? start - 1 : start
  return { start: from, end: start + written.length + (isAngled ? 1 : 0), put: safeAddress(put) }
}

/** Returns an address as Markdown can contain it. */
function safeAddress(address: string): string {
  return address
    .replaceAll(/[\s<>]/g, encodeURIComponent)
    .replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
}

type Image = { readonly url: string; readonly alt: string; readonly title: string | undefined }

/**
 * Returns the tag of an image with an attribute list such as `{ width="300" }`, or of an image that
 * is for one color scheme only. Undefined if Markdown says the same.
 */
export function imageTag({ url, alt, title }: Image, list: string | undefined): string | undefined {
  const parts = list === undefined ? [] : (readParts(list) ?? [])
  const sizes = parts.filter((part) => /^(?:width|height)=/.test(part))
  const scheme = schemeOf(url)
  if (sizes.length === 0 && scheme === undefined)
    return list === undefined || parts.length === 0 ? undefined : markdownImage(url, alt, title)
  const attributes = [
    ['src', scheme?.url ?? url],
    ['alt', alt],
    ['title', title],
    ['className', scheme?.className],
    ...sizes.map((part) => {
      const [name = '', value = ''] = part.split('=', 2)
      return [name, value.replaceAll(/["']/g, '').replace(/px$/, '')] as const
    }),
  ]
  const written = attributes.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replaceAll('"', '&quot;')}"`],
  )
  return `<img ${written.join(' ')} />`
}

/** Returns the address and class of an image that is for one color scheme only. */
export function schemeOf(
  address: string,
): { readonly url: string; readonly className: string } | undefined {
  const [, url, scheme] = /^(.*)#(?:gh-)?(?:only-)?(light|dark)(?:-mode-only)?$/.exec(address) ?? []
  if (url === undefined) return undefined
  return { url, className: scheme === 'light' ? 'block dark:hidden' : 'hidden dark:block' }
}

function markdownImage(url: string, alt: string, title: string | undefined): string {
  const label = alt.replaceAll(/[[\]{}<]/g, '\\$&')
  return `![${label}](${safeAddress(url)}${title === undefined ? '' : ` "${title.replaceAll('"', '&quot;')}"`})`
}
