/** Writes the redirects of `.gitbook.yaml`. */
import { joinPath } from '@octavo/model'
import { newUrlOf, splitAddress } from '../site/addresses.ts'
import type { ForeignRedirect } from '../site/foreign-site.ts'
import type { MigrationReport } from '../site/report.ts'
import type { Space, WrittenRedirect } from './find-spaces.ts'
import type { PageSource } from './page-source.ts'

type RedirectInput = {
  readonly spaces: readonly Space[]
  readonly sources: readonly PageSource[]
  readonly report: MigrationReport
}

export function readRedirects({
  spaces,
  sources,
  report,
}: RedirectInput): readonly ForeignRedirect[] {
  const byFile = new Map(sources.map((source) => [source.file, source.path]))
  const urls = new Set(sources.map(({ path }) => newUrlOf(path)))
  const redirects = new Map<string, string>()
  for (const space of spaces)
    for (const redirect of space.redirects) {
      const { from, to, place } = redirect
      const path = joinPath(space.prefix, `./${from}`.replace(/\/+$/, '')) ?? ''
      const source = newUrlOf(path)
      const destination = destinationOf(redirect, space, byFile)
      if (urls.has(source))
        report.leave(
          `The redirect from \`${from}\` has no effect, because that page exists.`,
          place,
        )
      else if (destination === undefined)
        report.leave(
          `The redirect from \`${from}\` leads to \`${to}\`, which does not exist.`,
          place,
        )
      else if (!redirects.has(source)) {
        report.convert('redirect')
        redirects.set(source, destination)
      }
    }
  return [...redirects].map(([source, destination]) => ({ source, destination }))
}

/** Returns the files that redirects lead to. */
export function redirectTargets(spaces: readonly Space[]): ReadonlySet<string> {
  return new Set(
    spaces.flatMap(({ root, redirects }) =>
      redirects.flatMap(({ to }) => joinPath(root, `./${splitAddress(to).path}`) ?? []),
    ),
  )
}

function destinationOf(
  { to }: WrittenRedirect,
  { root }: Space,
  byFile: ReadonlyMap<string, string>,
): string | undefined {
  if (/^https?:\/\//.test(to)) return to
  const { path, fragment } = splitAddress(to)
  const file = joinPath(root, `./${path.replace(/^\/+/, '')}`)
  if (file === undefined) return undefined
  const page = byFile.get(file) ?? byFile.get(`${file}.md`) ?? byFile.get(`${file}/README.md`)
  return page === undefined ? undefined : newUrlOf(page) + fragment
}
