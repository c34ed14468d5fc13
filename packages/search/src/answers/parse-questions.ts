/** Parses question files, which list questions with the pages that answer them. */
import { formatCount } from '@octavo/model'

/** A question with the pages that answer it: one line of a question file. */
export type LabeledQuestion = {
  readonly question: string
  /** Pages that answer the question; empty if the documentation does not answer it. */
  readonly pages: ReadonlySet<string>
  /** Passages of these pages, each of which answers the question; empty if they are not known. */
  readonly passages: readonly string[]
}

type QuestionFile = {
  readonly questions: readonly LabeledQuestion[]
  /** Lines that are not questions, and limits that the file exceeds. */
  readonly problems: readonly QuestionProblem[]
}

type QuestionProblem = { readonly line: number; readonly message: string }

type QuestionLimits = {
  /** The maximum size of the file in characters. A larger file is not read. */
  readonly sizeMax: number
  readonly questionsMax: number
  /** The maximum length of each text. */
  readonly textLengthMax: number
  /** The maximum number of pages of a question, and of passages. */
  readonly entriesMax: number
}

/** Limits for a file that a person passes to a command. */
const FILE_LIMITS: QuestionLimits = {
  sizeMax: 10_000_000,
  questionsMax: 10_000,
  textLengthMax: 10_000_000,
  entriesMax: 10_000,
}

/**
 * Limits for the question file of a site, which a service evaluates for each preview, even if its
 * author is not trusted.
 */
export const SITE_QUESTION_LIMITS: QuestionLimits = {
  sizeMax: 500_000,
  questionsMax: 500,
  textLengthMax: 2_000,
  entriesMax: 20,
}

/** The maximum number of reported lines. The author sees the others after correcting these. */
const PROBLEMS_MAX = 100

/**
 * Parses a question file, one JSON object per line. Returns an error message with the line number
 * if a line is malformed.
 */
export function parseQuestions(text: string): readonly LabeledQuestion[] | string {
  const { questions, problems } = readQuestions(text, FILE_LIMITS)
  const [problem] = problems
  if (problem !== undefined) return `line ${problem.line}: ${problem.message}`
  return questions.length === 0 ? 'the file has no questions.' : questions
}

/** Parses a question file, and omits lines that are malformed. */
export function readQuestions(text: string, limits = SITE_QUESTION_LIMITS): QuestionFile {
  const { sizeMax, questionsMax } = limits
  const questions: LabeledQuestion[] = []
  const problems: QuestionProblem[] = []
  if (text.length > sizeMax) {
    const message = `The file has more than ${formatCount(sizeMax)} characters.`
    return { questions, problems: [{ line: 1, message }] }
  }
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    if (questions.length === questionsMax) {
      const message = `There are more than ${formatCount(questionsMax)} questions.`
      problems.push({ line, message })
      break
    }
    const question = parseQuestion(written, limits)
    if (typeof question !== 'string') questions.push(question)
    else if (problems.length < PROBLEMS_MAX) problems.push({ line, message: question })
  }
  return { questions, problems }
}

/** Prints questions so that `readQuestions` returns the same questions again. */
export function printQuestions(questions: readonly LabeledQuestion[]): string {
  return questions
    .map(({ question, pages: [page = null, ...others], passages: spans }) => {
      const alsoAcceptable = others.length === 0 ? undefined : others
      return `${JSON.stringify({ question, page, alsoAcceptable, spans })}\n`
    })
    .join('')
}

const EXPECTED =
  'Expected {"question": "…", "page": "/path", "spans": ["…"]}, or "page": null if no page answers the question.'

/** Returns the question of a line, or an error message. */
function parseQuestion(line: string, limits: QuestionLimits): LabeledQuestion | string {
  const { question, page, alsoAcceptable = [], spans = [], alsoSpans = [] } = parseObject(line)
  if (typeof question !== 'string' || question.trim() === '') return EXPECTED
  if (page !== null && typeof page !== 'string') return EXPECTED
  if (!isTexts(alsoAcceptable) || !isTexts(spans) || !Array.isArray(alsoSpans)) return EXPECTED
  const further = alsoSpans.map((one) => Object(one) as Further)
  if (!isTexts(further.map(({ span }) => span))) return EXPECTED
  if (page === null) return checkLimits({ question, pages: new Set(), passages: [] }, limits)
  const pages = [page, ...alsoAcceptable, ...further.map((one) => one.page)]
  return checkLimits(
    {
      question,
      pages: new Set(pages.filter((one) => typeof one === 'string')),
      passages: [...spans, ...further.map(({ span }) => String(span))],
    },
    limits,
  )
}

function checkLimits(
  one: LabeledQuestion,
  { textLengthMax, entriesMax }: QuestionLimits,
): LabeledQuestion | string {
  const { question, pages, passages } = one
  if (pages.size > entriesMax) return `The question has more than ${entriesMax} pages.`
  if (passages.length > entriesMax) return `The question has more than ${entriesMax} passages.`
  const isTooLong = [question, ...pages, ...passages].some((text) => text.length > textLengthMax)
  return isTooLong
    ? `The question, a page or a passage is longer than ${formatCount(textLengthMax)} characters.`
    : one
}

type Written = Readonly<Record<string, unknown>>
/** A passage on another page that also answers the question. */
type Further = { readonly page?: unknown; readonly span?: unknown }

/** Returns an empty object if the line is not a JSON object. */
function parseObject(line: string): Written {
  try {
    return Object(JSON.parse(line)) as Written
  } catch {
    return {}
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
