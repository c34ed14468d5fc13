import type { Redirect } from '@octavo/model'

/** The redirects for hosts that read a `_redirects` file: source, destination, status. */
export function redirectsFile(redirects: readonly Redirect[]): string {
  const lines = redirects.map(({ source, destination, permanent }) => {
    const from = source.replaceAll(/:\w+\*|\*/g, '*')
    const to = destination.replaceAll(/:\w+\*|\*/g, ':splat')
    return `${encodeSpaces(from)} ${encodeSpaces(to)} ${permanent ? 308 : 307}`
  })
  return `${lines.join('\n')}\n`
}

/** Redirects from one plain path: a page can stand there that sends readers on. */
export function plainRedirects(redirects: readonly Redirect[]): readonly Redirect[] {
  return redirects.filter(({ source }) => source.startsWith('/') && !/[:*?#]/.test(source))
}

function encodeSpaces(text: string): string {
  return text.replaceAll(/\s/g, encodeURIComponent)
}
