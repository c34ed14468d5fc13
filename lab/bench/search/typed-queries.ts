/**
 * Compares the results of short queries with a person's judgments. A judgment is true if one of the
 * first two pages is what a reader would want, and is valid as long as these two pages stay the
 * same.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askOctavo, mainScope, openIndex } from './built-index.ts'
import { withBuiltSites } from './with-built-sites.ts'

const JUDGED = join(import.meta.dirname, 'typed-queries.jsonl')
const SHOWN = 2

type TypedQuery = { readonly site: string; readonly query: string }
type Judged = TypedQuery & {
  /** The first pages of the results. */
  readonly found: readonly string[]
  /** The judgment; undefined if these results have not been judged. */
  readonly isRight?: boolean
}

/** Returns the share of queries whose first results were judged right. */
export async function compareTyped({
  questions,
  corpus,
  writes,
}: {
  readonly questions: string
  readonly corpus: string
  readonly writes: boolean
}): Promise<number> {
  const queries = readLines<TypedQuery>(join(questions, 'typed-queries.jsonl'))
  const judged = new Map(readLines<Judged>(JUDGED).map((line) => [keyOf(line), line]))
  const lines: Judged[] = []
  const bySite = Map.groupBy(queries, ({ site }) => site)
  await withBuiltSites(corpus, [...bySite.keys()], async (built) => {
    for (const [site, own] of bySite) {
      const index = openIndex(join(built, site), mainScope(join(built, site)))
      for (const { query } of own) {
        const urls = (await askOctavo(index, query)).map((url) => url.replace(/#.*/, ''))
        lines.push(judge({ site, query, found: [...new Set(urls)].slice(0, SHOWN) }, judged))
      }
    }
  })
  for (const { query, found, isRight } of lines) {
    if (isRight !== true) console.log(`${isRight === false ? 'wrong' : 'new  '} ${query}: ${found}`)
  }
  if (writes) writeFileSync(JUDGED, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const right = lines.filter(({ isRight }) => isRight).length
  const open = lines.filter(({ isRight }) => isRight === undefined).length
  console.log(`right page in the first ${SHOWN}: ${right} of ${lines.length}, ${open} not judged`)
  return right / lines.length
}

function judge(line: Judged, judged: ReadonlyMap<string, Judged>): Judged {
  const known = judged.get(keyOf(line))
  if (known?.isRight === undefined || known.found.join(' ') !== line.found.join(' ')) return line
  return { ...line, isRight: known.isRight }
}

function keyOf({ site, query }: TypedQuery): string {
  return `${site} ${query}`
}

function readLines<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}
