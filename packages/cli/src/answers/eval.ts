import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { askAll, type Evaluation, evaluate, RECALL_PLACES } from './evaluate-library.ts'
import { type LibraryOptions, openSiteLibrary } from './open-site-library.ts'
import { parseQuestions } from './parse-questions.ts'

export type EvalOptions = LibraryOptions & { readonly questions: string; readonly json: boolean }

/** `octavo eval`: measures search and answers on questions whose pages are known. */
export async function evaluateSite(world: CommandContext, options: EvalOptions): Promise<ExitCode> {
  const questions = readQuestions(resolve(world.cwd, options.questions))
  if (typeof questions === 'string') return refuse(world, `${options.questions}: ${questions}`)
  const opened = await openSiteLibrary(world, options)
  if (typeof opened === 'string') return refuse(world, opened)
  const results = await askAll(opened.library, questions)
  opened.close()
  const evaluation = evaluate(results)
  if (options.json) {
    world.out.write(`${JSON.stringify(evaluation)}\n`)
    return EXIT.ok
  }
  world.out.write(printEvaluation(evaluation))
  const missed = results.filter(({ isAnswerable, place = 99 }) => isAnswerable && place >= 5)
  if (missed.length > 0) world.out.write('\nNot among the first five pages:\n')
  for (const { question } of missed) world.out.write(`  ${printable(question)}\n`)
  return EXIT.ok
}

function readQuestions(file: string): ReturnType<typeof parseQuestions> {
  try {
    return parseQuestions(readFileSync(file, 'utf8'))
  } catch {
    return 'the file cannot be read.'
  }
}

function refuse(world: CommandContext, reason: string): ExitCode {
  world.err.write(`octavo: ${reason}\n`)
  return EXIT.usage
}

function printEvaluation({ questions, recall, mrr, agreement }: Evaluation): string {
  const rows: readonly (readonly [name: string, value: number])[] = [
    ...RECALL_PLACES.map((place) => [`recall@${place}`, recall[place]] as const),
    ['MRR', mrr],
    ['answerable questions answered', agreement.answerable],
    ['refused, of the unanswerable', agreement.unanswerable],
    ['balanced accuracy', agreement.balanced],
    ['AUC', agreement.auc],
  ]
  const lines = rows.map(([name, value]) => `${name.padEnd(30)}${value.toFixed(3)}`)
  return `${questions} questions\n${lines.join('\n')}\n`
}
