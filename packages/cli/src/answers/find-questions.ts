import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { QUESTIONS_FILE } from '@octavo/model'

type QuestionPaths = { readonly questions: string; readonly folder: string }

/**
 * Returns the question file and the documentation folder. If a folder is passed instead of a file,
 * its own question file is used.
 */
export function findQuestions(cwd: string, { questions, folder }: QuestionPaths): QuestionPaths {
  const isFolder = statSync(resolve(cwd, questions), { throwIfNoEntry: false })?.isDirectory()
  return isFolder === true && folder === '.'
    ? { questions: join(questions, QUESTIONS_FILE), folder: questions }
    : { questions, folder }
}
