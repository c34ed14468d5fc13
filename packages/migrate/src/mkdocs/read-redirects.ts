/** Writes redirects, so that the addresses of a MkDocs site keep working. */

import { joinPath } from '@octavo/model'
import { newUrlOf } from '../site/addresses.ts'
import type { ForeignRedirect } from '../site/foreign-site.ts'
import type { MigrationReport } from '../site/report.ts'
import { asValues } from '../site/values.ts'
import { pagePathOf } from './old-urls.ts'
import type { PageSource } from './page-source.ts'
import { type MkdocsConfig, readNamed } from './read-config.ts'
import type { SiteAddresses } from './site-addresses.ts'

export type RedirectInput = {
  readonly config: MkdocsConfig
  readonly report: MigrationReport
  readonly sources: readonly PageSource[]
  readonly addresses: SiteAddresses
  readonly prefix: string
}

export function readRedirects(input: RedirectInput): readonly ForeignRedirect[] {
  const { config, sources, prefix, report } = input
  const { values } = config
  const redirects = [...pluginRedirects(input)]
  if (values.use_directory_urls === false) {
    redirects.push({ source: '/index.html', destination: '/' })
    for (const { path } of sources)
      if (path.endsWith('/index'))
        redirects.push({ source: `/${path}.html`, destination: newUrlOf(path) })
    redirects.push({ source: '/:path*.html', destination: '/:path*' })
  }
  if (asValues(asValues(values.extra).version).provider === 'mike') {
    for (const name of ['latest', 'stable', 'dev']) {
      if (sources.some(({ path }) => path.startsWith(`${name}/`))) continue
      redirects.push({ source: `/${name}/:path*`, destination: '/:path*' })
    }
    report.leave(
      'The folder has one version of the site: mike keeps the others on a branch. Migrate each of them, and list them in `navigation.versions`.',
      config.place('extra', 'version'),
    )
  }
  // The site can move to the root of a host, or stay below the same path.
  const isFree = !sources.some(({ path }) => `/${path}/`.startsWith(`${prefix}/`))
  if (prefix !== '' && isFree)
    redirects.push({ source: `${prefix}/:path*`, destination: '/:path*' })
  return redirects
}

function pluginRedirects({
  config,
  report,
  sources,
  addresses,
}: RedirectInput): readonly ForeignRedirect[] {
  const { redirect_maps: written } = readNamed(config.values.plugins).get('redirects') ?? {}
  const paths = new Set(sources.map(({ path }) => path))
  return Object.entries(asValues(written)).flatMap(([from, to]) => {
    const place = config.place('plugins', 'redirects')
    const file = joinPath('', from)
    if (file === undefined || typeof to !== 'string') return []
    const source = newUrlOf(pagePathOf(file))
    if (paths.has(pagePathOf(file))) {
      report.leave(`The redirect from \`${from}\` has no effect, because that page exists.`, place)
      return []
    }
    const destination = /^https?:/.test(to) ? to : targetOf(to, addresses)
    if (destination === undefined) {
      report.leave(`The redirect from \`${from}\` leads to \`${to}\`, which does not exist.`, place)
      return []
    }
    report.convert('redirect')
    return [{ source, destination }]
  })
}

function targetOf(written: string, addresses: SiteAddresses): string | undefined {
  const [path = '', fragment] = written.split('#', 2)
  const hash = fragment === undefined ? '' : `#${fragment}`
  const file = joinPath('', path)
  return (
    (file === undefined ? undefined : addresses.ofFile(file, hash)) ??
    addresses.ofUrl(`/${path}`, hash)
  )
}
