import { homePage, type Navigation, type Redirect } from '@octavo/model'

export type RedirectsInput = {
  readonly redirects: readonly Redirect[]
  readonly navigation: Navigation
}

/** Those of docs.json; and where no page stands at `/`, from there to the first page. */
export function allRedirects(
  { redirects, navigation }: RedirectsInput,
  urls: ReadonlySet<string>,
): readonly Redirect[] {
  const home = homePage(navigation)
  if (home === undefined || urls.has('/')) return redirects
  return [...redirects, { source: '/', destination: home.url, permanent: false }]
}

/** The redirects for hosts that read a `_redirects` file: source, destination, status. */
export function redirectsFile(redirects: readonly Redirect[]): string {
  const lines = redirects.flatMap(withoutOptional).map(({ source, destination, permanent }) => {
    const from = source.replaceAll(/:\w+\*|\*/g, '*')
    const to = destination.replaceAll(/:\w+\*|\*/g, ':splat')
    return `${encodeSpaces(from)} ${encodeSpaces(to)} ${permanent ? 308 : 307}`
  })
  return `${lines.join('\n')}\n`
}

/** Those hosts know no `:name?`: it is two redirects, without the segment and with it. */
function withoutOptional(redirect: Redirect): readonly Redirect[] {
  const name = /\/:(\w+)\?\/*$/.exec(redirect.source)?.[1]
  if (name === undefined) return [redirect]
  const wildcard = new RegExp(`(/?):${name}\\b[*?]?`, 'g')
  const { source, destination } = redirect
  return ['', `$1:${name}`].map((put) => ({
    ...redirect,
    source: source.replace(/\/:\w+\?\/*$/, put === '' ? '' : `/:${name}`) || '/',
    destination: destination.replace(wildcard, put) || '/',
  }))
}

/** Redirects from one plain path: a page can stand there that sends readers on. */
export function plainRedirects(redirects: readonly Redirect[]): readonly Redirect[] {
  return redirects.filter(({ source }) => source.startsWith('/') && !/[:*?#]/.test(source))
}

function encodeSpaces(text: string): string {
  return text.replaceAll(/\s/g, encodeURIComponent)
}
