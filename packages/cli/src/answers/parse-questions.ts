/** Parses labeled questions, one JSON object per line. */
export type LabeledQuestion = {
  readonly question: string
  /** Pages that answer the question; empty if the documentation does not answer it. */
  readonly pages: ReadonlySet<string>
}

const TEXT_LENGTH_MAX = 10_000_000
const QUESTIONS_MAX = 10_000

/** Returns an error message with the line number if a line is malformed. */
export function parseQuestions(text: string): readonly LabeledQuestion[] | string {
  if (text.length > TEXT_LENGTH_MAX) return 'the file is larger than 10 MB.'
  const questions: LabeledQuestion[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const question = parseQuestion(line)
    if (question === undefined)
      return `line ${index + 1} is not a question: expected {"question": "…", "page": "/path"} or "page": null.`
    questions.push(question)
    if (questions.length > QUESTIONS_MAX) return `there are more than ${QUESTIONS_MAX} questions.`
  }
  return questions.length === 0 ? 'the file has no questions.' : questions
}

function parseQuestion(line: string): LabeledQuestion | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { question, page, alsoAcceptable = [] } = value as Readonly<Record<string, unknown>>
  if (typeof question !== 'string' || question.trim() === '') return undefined
  if (page !== null && typeof page !== 'string') return undefined
  if (!Array.isArray(alsoAcceptable) || alsoAcceptable.some((one) => typeof one !== 'string'))
    return undefined
  return { question, pages: new Set(page === null ? [] : [page, ...alsoAcceptable]) }
}
