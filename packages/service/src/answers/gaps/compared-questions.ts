/** Names the questions that are asked in a preview and in the live deployment. */
import { printable } from '@octavo/model'
import type { LabeledQuestion } from '@octavo/search'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import type { AnsweredQuestion } from './store.ts'

/** A question, and what is stored for it if its answer is lost. */
export type NamedQuestion = LabeledQuestion & { readonly name: string }

/** An author's question is stored as text: it is part of the repository. */
export const nameQuestion = (question: LabeledQuestion): NamedQuestion => ({
  ...question,
  // The database cannot store NUL or unpaired surrogates.
  name: printable(question.question).toWellFormed(),
})

/**
 * Returns readers' questions with the pages that their answers referred to. Each is stored as the
 * id of its conversation, since not everyone who may see the comparison may read conversations. It
 * is masked even if the project does not mask questions, or if it was imported.
 */
export function labelAnswered(
  answered: readonly AnsweredQuestion[],
  basePath: string,
): readonly NamedQuestion[] {
  return answered.flatMap(({ id, query, sources }) => {
    const pages = sources.flatMap(({ url }) => pageOf(url, basePath) ?? [])
    if (pages.length === 0) return []
    return [{ name: id, question: maskSecrets(query), pages: new Set(pages), passages: [] }]
  })
}

/** Returns the page of a source; undefined if it is not a page of the site. */
function pageOf(source: string, basePath: string): string | undefined {
  const url = URL.parse(source, 'https://site.invalid/')
  if (!url?.pathname.startsWith(`${basePath}/`)) return undefined
  return url.pathname.slice(basePath.length).replace(/(?<=.)\/$/, '')
}
