/** Addresses of pages and files. */

/** Returns the address of a page on the new site. */
export function newUrlOf(path: string): string {
  const folder = path === 'index' ? '' : path.replace(/\/index$/, '')
  return `/${folder.split('/').map(encodeURIComponent).join('/')}`
}

/** Returns true for addresses that a migration leaves as they are. */
export function isOutside(url: string): boolean {
  return url === '' || url.startsWith('//') || /^[a-z][\w+.-]*:/i.test(url)
}

type AddressParts = { readonly path: string; readonly query: string; readonly fragment: string }

/** Splits an address as written into its decoded path, `?query` and `#fragment`. */
export function splitAddress(url: string): AddressParts {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  return { path: decode(path), query, fragment }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
