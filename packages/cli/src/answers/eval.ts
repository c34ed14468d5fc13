import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { printable } from '@octavo/model'
import {
  type AnswerChange,
  compareAnswers,
  type LabeledQuestion,
  parseQuestions,
  parseShownAnswers,
  printShownAnswers,
  type ShownAnswer,
  type SiteLibrary,
  showAnswer,
} from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { plural } from '../report/plural.ts'
import { askAll, type Evaluation, evaluate, RECALL_PLACES } from './evaluate-library.ts'
import { findQuestions } from './find-questions.ts'
import { type LibraryOptions, openSiteLibrary } from './open-site-library.ts'

export type EvalOptions = LibraryOptions & {
  /** The file with questions, or a documentation folder that contains one. */
  readonly questions: string
  readonly json: boolean
  /** The output file for the excerpts that readers see for each question. */
  readonly out: string | undefined
  /**
   * What readers saw before: a file that an earlier run wrote with `out`, or a function that returns
   * the answers of a deployment.
   */
  readonly against: string | ReadEarlier | undefined
  /** The URL of a model server whose answers are measured. */
  readonly model: string | undefined
}

type ReadEarlier = (questions: readonly LabeledQuestion[]) => Promise<readonly ShownAnswer[]>

/** `octavo eval`: measures search and answers with questions whose answering pages are known. */
export async function evaluateSite(world: CommandContext, written: EvalOptions): Promise<ExitCode> {
  const options = { ...written, ...findQuestions(world.cwd, written) }
  const { out, against } = options
  const file = resolve(world.cwd, options.questions)
  const questions = readAs(file, parseQuestions)
  if (typeof questions === 'string') return refuse(world, `${options.questions}: ${questions}`)
  const before =
    typeof against === 'string'
      ? readAs(resolve(world.cwd, against), parseShownAnswers)
      : ((await against?.(questions)) ?? [])
  if (typeof before === 'string') return refuse(world, `${against}: ${before}`)
  const opened = await openSiteLibrary(world, options)
  if (typeof opened === 'string') return refuse(world, opened)
  try {
    const { model: endpoint, json } = options
    if (endpoint !== undefined) {
      const { evaluateModel } = await import('./evaluate-model.ts')
      return await evaluateModel(world, { endpoint, questions, opened, json })
    }
    if (out === undefined && against === undefined)
      return await measure(world, { questions, library: opened.library, json: options.json })
    const shown: ShownAnswer[] = []
    for (const question of questions) shown.push(await showAnswer(opened.library, question))
    if (out !== undefined) writeFileSync(resolve(world.cwd, out), printShownAnswers(shown))
    if (against === undefined) return EXIT.ok
    return reportChanges(world, compareAnswers(before, shown), options.json)
  } finally {
    opened.close()
  }
}

type Measured = {
  readonly questions: readonly LabeledQuestion[]
  readonly library: SiteLibrary
  readonly json: boolean
}

async function measure(
  world: CommandContext,
  { questions, library, json }: Measured,
): Promise<ExitCode> {
  const results = await askAll(library, questions)
  const evaluation = evaluate(results)
  if (json) {
    world.out.write(`${JSON.stringify(evaluation)}\n`)
    return EXIT.ok
  }
  world.out.write(printEvaluation(evaluation))
  const missed = results.filter(({ isAnswerable, place = 99 }) => isAnswerable && place >= 5)
  if (missed.length > 0) world.out.write('\nNot among the first five pages:\n')
  for (const { question } of missed) world.out.write(`  ${printable(question)}\n`)
  return EXIT.ok
}

/**
 * Prints the changes. Returns a failure if an answer is lost, so that CI can use the command as a
 * check.
 */
function reportChanges(
  world: CommandContext,
  changes: readonly AnswerChange[],
  json: boolean,
): ExitCode {
  const count = (kind: AnswerChange['kind']) => changes.filter((one) => one.kind === kind).length
  const counts = { lost: count('lost'), gained: count('gained'), changed: count('changed') }
  if (json) world.out.write(`${JSON.stringify({ ...counts, changes })}\n`)
  else {
    for (const change of changes) world.out.write(`${printChange(change)}\n`)
    world.out.write(
      `${plural(counts.lost, 'answer')} lost, ${counts.gained} gained, ${counts.changed} changed.\n`,
    )
  }
  return counts.lost > 0 ? EXIT.problems : EXIT.ok
}

function printChange({ kind, reason, before, now }: AnswerChange): string {
  const excerpt = (name: string, { status, matches: [first] }: ShownAnswer) => {
    const lines = (first?.text ?? 'no excerpt').split('\n').map((line) => `    ${printable(line)}`)
    const at = first === undefined ? '' : `, ${printable(first.url)}`
    return `  ${name} (${status}${at})\n${lines.join('\n')}\n`
  }
  const head = `${kind}: ${printable(now.question)}\n  ${reason}\n`
  return `${head}${excerpt('before', before)}${excerpt('now', now)}`
}

/** Reads and parses a file; returns an error message if it cannot be read. */
function readAs<Content>(file: string, parse: (text: string) => Content): Content | string {
  try {
    return parse(readFileSync(file, 'utf8'))
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
    ['answerable, called answered', agreement.answerable],
    ['unanswerable, not called answered', agreement.unanswerable],
    ['AUC', agreement.auc],
  ]
  const lines = rows.map(([name, value]) => `${name.padEnd(36)}${value.toFixed(3)}`)
  return `${plural(questions, 'question')}\n${lines.join('\n')}\n`
}
