/** Checks JSON in `RequestExample` and `ResponseExample` on pages of operations. */
import { diagnose, type Report, SourceText } from '@octavo/model'
import { BodyChecker, type BodyExample } from '@octavo/openapi'
import type { LoadedSite } from '../load/load-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import type { CheckedPage } from './checked-page.ts'

export type BodyExamplesCheck = {
  readonly site: LoadedSite
  readonly tree: HashedTree
  readonly pages: readonly CheckedPage[]
  readonly report: Report
}

export function checkBodyExamples({ site, tree, pages, report }: BodyExamplesCheck): void {
  const checkers = new Map<string, BodyChecker>()
  for (const { page } of pages) {
    const { backing, file } = page
    if (backing?.kind !== 'operation' || file === undefined) continue
    const text = tree.read(file)
    if (text === undefined || !/<Re(?:quest|sponse)Example\b/.test(text)) continue
    const specification = site.specification(backing.source)
    if (specification === undefined) continue
    const checker = checkers.get(backing.source) ?? new BodyChecker(specification)
    checkers.set(backing.source, checker)
    const source = new SourceText(file, text)
    for (const { offset, ...example } of bodyExamples(text)) {
      for (const problem of checker.problems(backing.listing, example)) {
        const { offset: within, ...written } = problem
        const place = { file, ...source.position(offset + within) }
        report(diagnose('openapi/example-mismatch', place, written))
      }
    }
  }
}

/** The maximum number of examples of one page that are checked. */
const EXAMPLES_MAX = 100

type PlacedExample = BodyExample & { readonly offset: number }

/** Finds the JSON blocks in the examples of a page. */
function bodyExamples(text: string): readonly PlacedExample[] {
  const found: PlacedExample[] = []
  for (const list of text.matchAll(/<(Request|Response)Example\b[^>]*>(.*?)<\/\1Example>/gs)) {
    const [whole, kind, content = ''] = list
    const start = list.index + whole.lastIndexOf(content)
    for (const block of content.matchAll(/^([ \t]*`{3,})json\b([^\n]*)\n(.*?)\n\1[ \t]*$/gms)) {
      const [fenced, , title = '', json = ''] = block
      const offset = start + block.index + fenced.indexOf('\n') + 1
      const [status] = /\b[1-5]\d\d\b/.exec(title) ?? []
      found.push({
        direction: kind === 'Request' ? 'request' : 'response',
        status,
        text: json,
        offset,
      })
      if (found.length === EXAMPLES_MAX) return found
    }
  }
  return found
}
