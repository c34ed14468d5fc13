/** Finds the pages that readers can reach from the list of pages. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { splitAddress } from '../site/addresses.ts'
import type { PageSource } from './page-source.ts'

const TARGET =
  /\]\(<?([^()<>"\n]{1,300}(?:\([^()\n]*\)[^()<>"\n]*)?)|(?:href|url)="([^"\n]{1,300})"/g

export function linkedPages(
  all: readonly PageSource[],
  isListed: (file: string) => boolean,
): ReadonlySet<string> {
  const byFile = new Map(all.map((source) => [source.file, source]))
  const reached = new Set<string>()
  const open = all.filter(({ file }) => isListed(file))
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    if (reached.has(source.file)) continue
    reached.add(source.file)
    for (const [, link, attribute] of source.body.matchAll(TARGET)) {
      const { path } = splitAddress((link ?? attribute ?? '').trim())
      const file = path.startsWith('/')
        ? undefined
        : joinPath(posix.dirname(source.file), path.replace(/\/$/, ''))
      const target =
        file === undefined
          ? undefined
          : (byFile.get(file) ?? byFile.get(`${file}.md`) ?? byFile.get(`${file}/README.md`))
      if (target !== undefined) open.push(target)
    }
  }
  return reached
}
