/**
 * `octavo eval --model`: measures the answers of a model to labeled questions, and prints a table
 * that can be published.
 */
import { parseSettings } from '@octavo/assistant'
import { printable } from '@octavo/model'
import { VERSION } from '@octavo/model/version'
import type { LabeledQuestion } from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { ModelAsker, type ModelResult } from './ask-model.ts'
import { printModelTable, summarize } from './model-table.ts'
import { type OpenedLibrary, readAssistantFile } from './open-site-library.ts'
import { connectModel, isUnencrypted, readModel } from './read-model.ts'

/** If this many questions fail before any is answered, the others would fail too. */
const FAILURES_MAX = 3

export type ModelEvaluationInput = {
  readonly endpoint: string
  readonly questions: readonly LabeledQuestion[]
  readonly opened: OpenedLibrary
  readonly json: boolean
}

export async function evaluateModel(
  world: CommandContext,
  { endpoint, questions, opened, json }: ModelEvaluationInput,
): Promise<ExitCode> {
  const { out, err, env, clock } = world
  const model = await readModel(endpoint, env)
  if (typeof model === 'string') {
    err.write(`octavo: ${model}\n`)
    return EXIT.usage
  }
  const { host } = new URL(model.url)
  if (isUnencrypted(model))
    err.write(
      `octavo: the connection to ${host} is not encrypted. Others on the network can read all texts, and the API key if there is one.\n`,
    )
  const site = parseSettings((await readAssistantFile(opened.deployment)) ?? '{}')
  const { library } = opened
  const asker = new ModelAsker({
    client: connectModel(model),
    model,
    site,
    library,
    now: clock.now,
  })
  const results: ModelResult[] = []
  for (const question of questions) {
    if (err.isTTY) err.write(`\r\u001b[K${results.length} of ${questions.length} questions asked`)
    results.push(await asker.ask(question))
    if (results.length === FAILURES_MAX && results.every(isFailed)) break
  }
  if (err.isTTY) err.write('\r\u001b[K')
  if (results.every(isFailed)) {
    const { message = '' } = asker.failure ?? {}
    err.write(`octavo: the first ${results.length} questions failed. ${printable(message)}\n`)
    return EXIT.failed
  }
  const { contextTokens, hasTools } = model
  const run = { octavo: VERSION, model: model.model, host, contextTokens, hasTools }
  const summary = summarize(results, asker.isEstimated)
  if (json) out.write(`${JSON.stringify({ ...run, ...summary, results })}\n`)
  else out.write(printModelTable(run, summary))
  return EXIT.ok
}

const isFailed = ({ status }: ModelResult) => status === 'failed'
