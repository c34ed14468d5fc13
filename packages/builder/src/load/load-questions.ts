/** Loads the questions of `octavo-questions.jsonl`, with which a service tests each preview. */
import { diagnose, QUESTIONS_FILE, type Report } from '@octavo/model'
import { type LabeledQuestion, readQuestions } from '@octavo/search'
import type { SourceTree } from '../source/source-tree.ts'
import { tooLarge } from './load-pages.ts'

/** Returns the questions of the site. Lines that cannot be used are reported and omitted. */
export function loadQuestions(tree: SourceTree, report: Report): readonly LabeledQuestion[] {
  if (!tree.files.includes(QUESTIONS_FILE)) return []
  const text = tree.read(QUESTIONS_FILE)
  if (text === undefined) {
    report(tooLarge(QUESTIONS_FILE))
    return []
  }
  const { questions, problems } = readQuestions(text)
  for (const { line, message } of problems)
    report(
      diagnose(
        'file/questions',
        { file: QUESTIONS_FILE, line, column: 1 },
        { message, hint: HINT },
      ),
    )
  return questions
}

const HINT = 'Correct or remove this line. Lines with a problem are not used.'
