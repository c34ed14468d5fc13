/**
 * Asks the questions of a gap again, without a model, and determines how the answers have changed
 * since the gap was open.
 */
import { createHash } from 'node:crypto'
import type { SiteLibrary } from '@octavo/search'
import type { DecidingSection, Gap } from './store.ts'

export type GapVerdict =
  /** Most questions are answered by a section that is new or changed. */
  | { readonly kind: 'likely'; readonly section: DecidingSection }
  /** Most questions are answered by a section that already existed when readers got no answer. */
  | { readonly kind: 'unchanged'; readonly section: DecidingSection }
  | { readonly kind: 'unanswered' }

/**
 * The minimum likelihood that a section answers a question. It is lower than for an answer to a
 * reader, because a likely closed gap is checked again by an owner or a model.
 */
const LIKELIHOOD_MIN = 0.3

type AskedLibraries = {
  readonly library: SiteLibrary
  /**
   * The library of the deployment in which the gap was last open; undefined if that deployment was
   * deleted, in which case no section counts as new.
   */
  readonly before: SiteLibrary | undefined
  /**
   * True if the question was never asked on this site, for example because it was imported. Every
   * section then counts as new.
   */
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
 * Returns true if a section is new or has changed. A section that was only moved is not new, since
 * it already answered the question at its old address.
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

/** Returns the section that probably answers the question, or undefined. */
async function findSection(
  question: string,
  library: SiteLibrary,
  signal: AbortSignal,
): Promise<DecidingSection | undefined> {
  signal.throwIfAborted()
  const { matches, likelihood, missing } = await library.findMatches(question)
  const url = likelihood > LIKELIHOOD_MIN && missing.length === 0 ? matches[0]?.url : undefined
  const sha256 = url && (await hashSection(library, url))
  return url && sha256 ? { url, sha256 } : undefined
}

/** Returns a digest of the text of a section; undefined if the section does not exist. */
export async function hashSection(library: SiteLibrary, url: string): Promise<string | undefined> {
  const markdown = await library.read(url)
  if (markdown === undefined) return undefined
  // The URL of a page without a fragment means the text before the first subheading.
  const text = url.includes('#') ? markdown : markdown.replace(/\n#{2,6} [\s\S]*$/, '')
  return createHash('sha256').update(text.trim()).digest('hex')
}
