/** Writes redirects, so that the addresses of a Docusaurus site keep working. */
import { posix } from 'node:path'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import type { ForeignRedirect } from '../site/foreign-site.ts'
import type { MigrationReport } from '../site/report.ts'
import type { DocusaurusConfig } from './read-config.ts'

type Input = {
  readonly config: DocusaurusConfig
  readonly folder: ForeignFolder
  readonly report: MigrationReport
  readonly prefix: string
  /** Addresses of the new site. */
  readonly urls: ReadonlySet<string>
  readonly address: (url: string) => string | undefined
}

export function readRedirects(input: Input): readonly ForeignRedirect[] {
  const { config, prefix, urls, report } = input
  const redirects = new Map<string, string>()
  const add = (from: string, to: string, line: { file: string; line: number }) => {
    const source = `/${withoutPrefix(from, prefix).replaceAll(/^\/+|\/+$/g, '')}`
    const destination = /^https?:\/\//.test(to) || /:splat|:\w/.test(to) ? to : input.address(to)
    if (urls.has(source) || redirects.has(source)) return
    if (destination === undefined)
      report.leave(`The redirect from \`${from}\` leads to \`${to}\`, which was not moved.`, line)
    else if (destination !== source) {
      report.convert('redirect')
      redirects.set(source, destination)
    }
  }
  for (const { name, options } of config.plugins) {
    if (name !== 'client-redirects') continue
    const place = config.place('client-redirects')
    for (const { from, to } of Array.isArray(options.redirects) ? options.redirects : [])
      for (const one of Array.isArray(from) ? from : [from])
        if (typeof one === 'string' && typeof to === 'string') add(one, to, place)
    if (Array.isArray(options.fromExtensions) && options.fromExtensions.includes('html'))
      redirects.set('/:path*.html', '/:path*')
  }
  readNetlify(input, add)
  const isFree = prefix !== '' && ![...urls].some((url) => `${url}/`.startsWith(`${prefix}/`))
  if (isFree) redirects.set(`${prefix}/:path*`, '/:path*')
  return [...redirects].map(([source, destination]) => ({ source, destination }))
}

function withoutPrefix(path: string, prefix: string): string {
  return prefix !== '' && `${path}/`.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/** Reads the file of redirects for Netlify: from, to, and perhaps a status. */
function readNetlify(
  { config, folder, report }: Input,
  add: (from: string, to: string, place: { file: string; line: number }) => void,
): void {
  const file = posix.join(config.base, 'static/_redirects')
  const lines = (folder.read(file) ?? '').split('\n')
  for (const [index, line] of lines.entries()) {
    const [from = '', to = '', ...more] = line.replace(/#.*$/, '').trim().split(/\s+/)
    if (from === '') continue
    const place = { file, line: index + 1 }
    const isPlain = from.startsWith('/') && to !== '' && more.every((one) => /^30\d!?$/.test(one))
    if (isPlain) add(from.replace(/\*$/, ':splat*'), to.replace(':splat', ':splat*'), place)
    else report.leave('This redirect has conditions, which docs.json does not have.', place)
  }
}
