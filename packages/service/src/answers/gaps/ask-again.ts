/** Asks the questions of a gap without a model, and says what became of them since it was open. */
import { createHash } from 'node:crypto'
import { answerFromPassages, type SiteLibrary } from '@octavo/search'
import type { DecidingSection, Gap } from './store.ts'

export type GapVerdict =
  /** Most of its questions are answered by a section that is new or changed. */
  | { readonly kind: 'likely'; readonly section: DecidingSection }
  /** They are answered by a section that was there before, when it was no answer. */
  | { readonly kind: 'unchanged'; readonly section: DecidingSection }
  | { readonly kind: 'unanswered' }

type AskedLibraries = {
  readonly library: SiteLibrary
  /** Of the deployment that the gap was last open in; nothing if that is gone, which proves nothing. */
  readonly before: SiteLibrary | undefined
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

/** A page that moved brings nothing new: it answered the same before. */
async function isNewSection(
  question: string,
  { url, sha256 }: DecidingSection,
  { before, signal }: AskedLibraries,
): Promise<boolean> {
  if (before === undefined || (await hashSection(before, url)) === sha256) return false
  const earlier = await findSection(question, before, signal)
  return earlier?.sha256 !== sha256
}

/** The section that the documentation answers with; nothing if it does not. */
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

/** By which a section is known to be the same; nothing if it is not there. */
export async function hashSection(library: SiteLibrary, url: string): Promise<string | undefined> {
  const markdown = await library.read(url)
  if (markdown === undefined) return undefined
  // The address of a page means what stands below its title.
  const text = url.includes('#') ? markdown : markdown.replace(/\n#{2,6} [\s\S]*$/, '')
  return createHash('sha256').update(text.trim()).digest('hex')
}
