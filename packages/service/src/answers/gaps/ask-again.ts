/**
 * Asks the questions of a gap again without a model and returns how their answers have changed
 * since the gap was open.
 */
import { createHash } from 'node:crypto'
import { answerFromPassages, type SiteLibrary } from '@octavo/search'
import type { DecidingSection, Gap } from './store.ts'

export type GapVerdict =
  /** Most questions are answered by a section that is new or changed. */
  | { readonly kind: 'likely'; readonly section: DecidingSection }
  /** Most questions are answered by a section that already existed when readers got no answer. */
  | { readonly kind: 'unchanged'; readonly section: DecidingSection }
  | { readonly kind: 'unanswered' }

type AskedLibraries = {
  readonly library: SiteLibrary
  /**
   * The deployment in which the gap was last open; undefined if it was deleted, so no section
   * counts as new.
   */
  readonly before: SiteLibrary | undefined
  /** True if this site was never asked, as for imported questions: then any section counts as new. */
  readonly isFirst: boolean
  readonly signal: AbortSignal
}

export async function askAgain(
  { examples }: Pick<Gap, 'examples'>,
  asked: AskedLibraries,
): Promise<GapVerdict> {
  const answers: { readonly section: DecidingSection; readonly isNew: boolean }[] = []
  for (const question of examples) {
    const section = await findSection(question, asked.library, asked.signal)
    if (section !== undefined)
      answers.push({ section, isNew: await isNewSection(question, section, asked) })
  }
  const isMost = (count: number) => count > examples.length / 2
  const changed = answers.filter(({ isNew }) => isNew)
  const [likely] = changed
  if (likely !== undefined && isMost(changed.length))
    return { kind: 'likely', section: likely.section }
  const [first] = answers
  return first !== undefined && isMost(answers.length)
    ? { kind: 'unchanged', section: first.section }
    : { kind: 'unanswered' }
}

/**
 * Checks whether a section is new or changed. A section that only moved is not: it answered the
 * question before.
 */
async function isNewSection(
  question: string,
  { url, sha256 }: DecidingSection,
  { before, isFirst, signal }: AskedLibraries,
): Promise<boolean> {
  if (isFirst) return true
  if (before === undefined || (await hashSection(before, url)) === sha256) return false
  const earlier = await findSection(question, before, signal)
  return earlier?.sha256 !== sha256
}

/** Returns the section that answers the question; undefined if none does. */
async function findSection(
  question: string,
  library: SiteLibrary,
  signal: AbortSignal,
): Promise<DecidingSection | undefined> {
  const give = async () => {}
  const outcome = await answerFromPassages(
    { text: question, history: [] },
    { library, signal, give },
  )
  const url = outcome.status === 'answered' ? outcome.sources[0]?.url : undefined
  const sha256 = url && (await hashSection(library, url))
  return url && sha256 ? { url, sha256 } : undefined
}

/** Returns a digest that identifies the text of a section; undefined if it does not exist. */
export async function hashSection(library: SiteLibrary, url: string): Promise<string | undefined> {
  const markdown = await library.read(url)
  if (markdown === undefined) return undefined
  // For a page URL, only the text before the first subheading counts.
  const text = url.includes('#') ? markdown : markdown.replace(/\n#{2,6} [\s\S]*$/, '')
  return createHash('sha256').update(text.trim()).digest('hex')
}
