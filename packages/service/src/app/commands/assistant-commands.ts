import { readFile } from 'node:fs/promises'
import { ModelChoice, type ModelSettings } from '@octavo/contract'
import { readOwnModel } from '../../answers/assistant/choose-answerer.ts'
import { ModelClient } from '../../answers/assistant/models/model-client.ts'
import { probeModel } from '../../answers/assistant/models/probe-model.ts'
import { AssistantSettingsStore } from '../../answers/assistant/settings-store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

const NAME_WIDTH = 11
const VERDICT_WIDTH = 8
const KEY_LENGTH_MAX = 4_000

/** Finds out what a model can do: that of a project, of the options, or of the environment. */
export async function testAssistant(input: CommandInput): Promise<void> {
  const { options, print, settings, words } = input
  const isOwn = words.length > 0
  const model = isOwn ? await readProjectModel(input) : await readModel(input)
  // An operator's address may be private, an owner's may not.
  const own = isOwn ? [] : [new URL(model.url).hostname]
  const deps = { allowPrivateHosts: [...settings.allowPrivateHosts, ...own] }
  const embedder = { ...model, model: options['embedding-model'] ?? model.model }
  print(`${model.model} at ${model.url} (${model.format})`)
  const report = await probeModel({
    settings: model,
    client: new ModelClient(model, deps),
    embedder: new ModelClient(embedder, deps),
    signal: new AbortController().signal,
    onProbe: ({ name, verdict, detail }) =>
      print(`${name.padEnd(NAME_WIDTH)} ${verdict.padEnd(VERDICT_WIDTH)} ${detail}`),
  })
  const failed = report.probes.filter(({ verdict }) => verdict === 'failed')
  if (failed.length > 0)
    throw new Error(`The model cannot be used: ${failed.map(({ name }) => name).join(', ')}.`)
  print('')
  print(`OCTAVO_ASSISTANT_URL=${model.url}`)
  print(`OCTAVO_ASSISTANT_MODEL=${model.model}`)
  print(`OCTAVO_ASSISTANT_FORMAT=${model.format}`)
  print(`OCTAVO_ASSISTANT_CONTEXT_TOKENS=${report.settings.contextTokens}`)
  print(`OCTAVO_ASSISTANT_TOOLS=${report.settings.hasTools}`)
}

async function readProjectModel(input: CommandInput): Promise<ModelSettings> {
  const { database, public_id: publicId } = await findProject(input)
  const settings = await new AssistantSettingsStore(database).read()
  const model = await readOwnModel(database, settings, input.settings.secretKeys)
  if (model === undefined) throw new UsageError(`Project ${publicId} has no model of its own.`)
  return model
}

async function readModel(input: CommandInput): Promise<ModelSettings> {
  const { options, settings } = input
  const operatorModel = settings.assistant.model
  if (options.url === undefined && options.model === undefined && operatorModel !== undefined)
    return operatorModel
  const context = options['context-tokens']
  const parsed = ModelChoice.safeParse({
    format: options.format ?? 'openai',
    url: required(options.url, '--url'),
    model: required(options.model, '--model'),
    ...(context !== undefined && { contextTokens: Number(context) }),
  })
  if (parsed.success) return { ...parsed.data, key: await readModelKey(input) }
  const [issue] = parsed.error.issues
  const name = issue?.path[0] === 'contextTokens' ? 'context-tokens' : String(issue?.path[0])
  throw new UsageError(`Invalid --${name}: ${issue?.message}`)
}

/** Never an argument: those are in the process list and in the history of the shell. */
export async function readModelKey({
  options,
  readInput,
}: CommandInput): Promise<string | undefined> {
  const file = options['key-file']
  if (file === undefined) return undefined
  const text = await (file === '-' ? readInput?.() : readFile(file, 'utf8').catch(() => undefined))
  const key = text?.trim()
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key) && key.length <= KEY_LENGTH_MAX) return key
  throw new UsageError(`--key-file: expected one key and nothing else in ${file}.`)
}
