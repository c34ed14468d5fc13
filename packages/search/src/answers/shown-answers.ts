/**
 * Collects the excerpts that readers see for each question without a model, and compares them with
 * an earlier result.
 */
import type { LabeledQuestion } from './parse-questions.ts'
import { hasPassage } from './passage-text.ts'
import type { Match, SiteLibrary } from './site-library.ts'

export type ShownAnswer = {
  readonly question: string
  readonly status: 'answered' | 'unanswered'
  /**
   * True if readers see the answer: an excerpt with one of the question's passages or, if it has no
   * passages, an excerpt of one of its pages. Undefined if the question has no answer.
   */
  readonly isShown: boolean | undefined
  /**
   * True if the answer is shown or is in one of the next excerpts, because small edits may change
   * the order of excerpts.
   */
  readonly isNear: boolean | undefined
  /**
   * True if one of the question's pages contains one of its passages; undefined if it has no
   * passages.
   */
  readonly isWritten: boolean | undefined
  readonly matches: readonly Match[]
}

/** The number of excerpts that readers see, and the number of excerpts that count as near. */
const SHOWN_MAX = 3
const NEAR_MAX = 6

export async function showAnswer(
  library: Pick<SiteLibrary, 'findMatches' | 'read'>,
  { question, pages, passages }: LabeledQuestion,
): Promise<ShownAnswer> {
  const found = await library.findMatches(question, { limit: NEAR_MAX })
  const isRight = ({ url, text }: Match) =>
    passages.length > 0 ? hasPassage(text, passages) : pages.has(url.replace(/#.*/, ''))
  const hasAnswer = pages.size > 0
  const matches = found.matches.slice(0, SHOWN_MAX)
  const isAnswered = found.hasAnswer && found.missing.length === 0
  return {
    question,
    status: isAnswered ? 'answered' : 'unanswered',
    isShown: hasAnswer ? matches.some(isRight) : undefined,
    isNear: hasAnswer ? found.matches.some(isRight) : undefined,
    isWritten: passages.length > 0 ? await isWritten(library, pages, passages) : undefined,
    matches,
  }
}

async function isWritten(
  { read }: Pick<SiteLibrary, 'read'>,
  pages: ReadonlySet<string>,
  passages: readonly string[],
): Promise<boolean> {
  for (const page of pages) if (hasPassage((await read(page)) ?? '', passages)) return true
  return false
}

export type AnswerChange = {
  readonly kind: 'lost' | 'gained' | 'changed'
  readonly reason: string
  readonly before: ShownAnswer
  readonly now: ShownAnswer
}

/** Compares two results. Questions that only one of them has are ignored. */
export function compareAnswers(
  before: readonly ShownAnswer[],
  now: readonly ShownAnswer[],
): readonly AnswerChange[] {
  const earlier = new Map(before.map((one) => [one.question, one]))
  return now.flatMap((one) => {
    const other = earlier.get(one.question)
    if (other === undefined) return []
    const change = changeOf(other, one)
    return change === undefined ? [] : [{ ...change, before: other, now: one }]
  })
}

function changeOf(
  before: ShownAnswer,
  now: ShownAnswer,
): Pick<AnswerChange, 'kind' | 'reason'> | undefined {
  const isClaimed = (one: ShownAnswer) => one.isShown === undefined && one.status === 'answered'
  if (before.isWritten && now.isWritten === false)
    return { kind: 'lost', reason: 'its passage is no longer in the documentation' }
  if (before.isShown && now.isNear === false)
    return { kind: 'lost', reason: 'no excerpt shows its answer any more' }
  if (!isClaimed(before) && isClaimed(now))
    return { kind: 'lost', reason: 'an excerpt is called an answer, but the question has none' }
  if (before.isShown === false && now.isShown)
    return { kind: 'gained', reason: 'an excerpt shows its answer' }
  if (before.isWritten === false && now.isWritten)
    return { kind: 'gained', reason: 'its passage is in the documentation' }
  const [was, is] = [before.matches[0]?.text, now.matches[0]?.text]
  return was === is && before.status === now.status
    ? undefined
    : { kind: 'changed', reason: 'another excerpt is shown first' }
}

export function printShownAnswers(shown: readonly ShownAnswer[]): string {
  return shown.map((one) => `${JSON.stringify(one)}\n`).join('')
}

/** Parses a file that `octavo eval --out` wrote; returns an error message for any other file. */
export function parseShownAnswers(text: string): readonly ShownAnswer[] | string {
  const shown: ShownAnswer[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const one = parseLine(line)
    if (one === undefined)
      return `line ${index + 1} was not written by \`octavo eval --out\`. Write the file again.`
    shown.push(one)
  }
  return shown
}

function parseLine(line: string): ShownAnswer | undefined {
  try {
    const one = JSON.parse(line) as ShownAnswer
    const isMatch = (match: Match) =>
      typeof match?.text === 'string' && typeof match.url === 'string'
    return typeof one.question === 'string' && one.matches.every(isMatch) ? one : undefined
  } catch {
    return undefined
  }
}
