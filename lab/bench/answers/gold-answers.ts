/** Reads questions with the passages that answer them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type GoldQuestion = {
  readonly site: string
  readonly question: string
  /** The set of the question. All questions of a set were written in the same way. */
  readonly set: string
  /**
   * The pages with a passage that answers the question; empty if the documentation does not answer
   * it.
   */
  readonly pages: readonly string[]
  /** The passages, each of which answers the question. */
  readonly spans: readonly string[]
}

type Line = {
  readonly site: string
  readonly question: string
  readonly page: string | null
  readonly spans?: readonly string[]
  readonly alsoSpans?: readonly { readonly page: string; readonly span: string }[]
}

/** Reads `gold-answers.jsonl`, `plain-questions.jsonl` and `*.unanswerable.jsonl`. */
export function readGold(folder: string): readonly GoldQuestion[] {
  const files = readdirSync(folder).filter((name) =>
    /^(?:gold-answers|plain-questions|.*\.unanswerable)\.jsonl$/.test(name),
  )
  return files.flatMap((name) => {
    const set = name.startsWith('plain') ? 'plain' : 'reader'
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n')
    return lines.map((line): GoldQuestion => {
      const { site, question, page, spans = [], alsoSpans = [] } = JSON.parse(line) as Line
      const all = page === null ? [] : [...spans, ...alsoSpans.map(({ span }) => span)]
      const pages = page === null ? [] : [page, ...alsoSpans.map((one) => one.page)]
      return { site, question, set, pages: [...new Set(pages)], spans: all }
    })
  })
}
