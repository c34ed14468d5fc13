import { ModelClient, probeModel } from '@octavo/assistant'
import { ModelChoice, type ModelSettings } from '@octavo/contract'
import { readOwnModel } from '../../answers/assistant/choose-answerer.ts'
import { saveAssistant } from '../../answers/assistant/save-settings.ts'
import {
  type AssistantSettings,
  AssistantSettingsStore,
  type AssistantUse,
} from '../../answers/assistant/settings-store.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import {
  type CommandInput,
  type CommandOptions,
  type CommandTable,
  findProject,
  type Lines,
  needSecretKeys,
  ofProject,
  type ProjectInput,
  readSecretFile,
  readSwitch,
  required,
  UsageError,
} from './arguments.ts'

const NAME_WIDTH = 11
const VERDICT_WIDTH = 8

type StoredModel = Omit<ModelSettings, 'key'>

/** Commands for a project's assistant settings. */
export const ASSISTANT_COMMANDS: CommandTable = {
  /** Changes only the settings that the options name. */
  'assistant set': ofProject(async function* (input) {
    const { options, project } = input
    const before = await new AssistantSettingsStore(project.database).read()
    const model = options.model === 'none' ? undefined : changeModel(before.model, options)
    const after: AssistantSettings = {
      ...before,
      isOn: true,
      masks: readSwitch(options, 'mask') ?? before.masks,
      needsProof: readSwitch(options, 'proof') ?? before.needsProof,
      model,
      tokensPerDay: readTokens(options, 'tokens-per-day', before.tokensPerDay),
      tokensPerMonth: readTokens(options, 'tokens-per-month', before.tokensPerMonth),
    }
    await saveAssistant(depsOf(input), { before, after, key: await readNewKey(input, model) })
    yield `The assistant of ${project.public_id} is on.`
    yield* printSettings(input, after)
  }),

  'assistant show': ofProject(async function* (input) {
    const store = new AssistantSettingsStore(input.project.database)
    const settings = await store.read()
    const { day, month } = await store.use()
    yield `The assistant of ${input.project.public_id} is ${settings.isOn ? 'on' : 'off'}.`
    yield* printSettings(input, settings)
    const { tokensPerDay: perDay, tokensPerMonth: perMonth } = input.settings.assistant
    yield printUse('Today', day, settings.tokensPerDay ?? perDay)
    yield printUse('This month', month, settings.tokensPerMonth ?? perMonth)
  }),

  'assistant off': ofProject(async function* (input) {
    const before = await new AssistantSettingsStore(input.project.database).read()
    const change = { before, after: { ...before, isOn: false }, key: undefined }
    await saveAssistant(depsOf(input), change)
    yield `The assistant of ${input.project.public_id} is off.`
  }),

  'assistant test': testAssistant,
}

const depsOf = ({ project: { database }, settings: { secretKeys } }: ProjectInput) => ({
  database,
  secretKeys,
  requester: OPERATOR,
})

function changeModel(before: unknown, options: CommandOptions): StoredModel | undefined {
  const { url, model, format } = options
  const hasTools = readSwitch(options, 'tools')
  const changes = {
    ...(url !== undefined && { url }),
    ...(model !== undefined && { model }),
    ...(format !== undefined && { format }),
    ...readContext(options),
    ...(hasTools !== undefined && { hasTools }),
  }
  if (before === undefined && Object.keys(changes).length === 0) return undefined
  return parseModel({ format: 'openai', ...ModelChoice.safeParse(before).data, ...changes })
}

const readContext = ({ 'context-tokens': context }: CommandOptions) =>
  context !== undefined && { contextTokens: Number(context) }

function parseModel(choice: unknown): StoredModel {
  const parsed = ModelChoice.safeParse(choice)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = issue?.path[0] === 'contextTokens' ? 'context-tokens' : String(issue?.path[0])
  throw new UsageError(`Invalid --${name}: ${issue?.message}`)
}

/** Reads the model's new API key; undefined without `--key-file`. Throws if it cannot be stored. */
async function readNewKey(
  input: CommandInput,
  model: StoredModel | undefined,
): Promise<string | undefined> {
  const key = await readKeyFile(input)
  if (key === undefined) return undefined
  if (model === undefined) throw new UsageError('--key-file needs --url and --model.')
  needSecretKeys(input, 'the key of a model')
  return key
}

export async function readKeyFile(input: CommandInput): Promise<string | undefined> {
  const file = input.options['key-file']
  if (file === undefined) return undefined
  const { secret } = await readSecretFile(file, input.readInput)
  if (secret !== undefined) return secret
  throw new UsageError(`--key-file: expected one key and nothing else in ${file}.`)
}

function readTokens(
  options: CommandOptions,
  name: 'tokens-per-day' | 'tokens-per-month',
  before: number | undefined,
): number | undefined {
  const word = options[name]
  if (word === undefined) return before
  if (word === 'none') return undefined
  if (/^\d{1,15}$/.test(word)) return Number(word)
  throw new UsageError(`Invalid --${name}: expected a number of tokens, or the word none.`)
}

function* printSettings({ settings: service }: CommandInput, settings: AssistantSettings) {
  const own = ModelChoice.safeParse(settings.model)
  const model = own.success ? own.data : service.assistant.model
  const whose = own.success ? '' : ', of the service'
  yield model === undefined
    ? 'Model: none; answers are quotations'
    : `Model: ${model.model} at ${model.url} (${model.format}, ${model.contextTokens} tokens, tools ${model.hasTools ? 'on' : 'off'}${whose})`
  yield `Masking of keys, e-mail addresses and card numbers: ${settings.masks ? 'on' : 'off'}`
  yield `Proof of work before the first question: ${settings.needsProof ? 'on' : 'off'}`
}

function printUse(title: string, use: AssistantUse, limit: number | undefined): string {
  const number = (count: number) => count.toLocaleString('en-US')
  const budget = limit === undefined ? 'no limit' : `of ${number(limit)}`
  return `${title}: ${number(use.questions)} questions, ${number(use.cached)} from the cache (${number(use.saved)} tokens saved), ${number(use.used)} tokens used (${budget}), ${number(use.reserved)} reserved`
}

/** Tests the model of a project, or the one in the options or environment variables. */
async function* testAssistant(input: CommandInput): Lines {
  const { options, print, settings, words } = input
  const isOwn = words.length > 0
  const model = isOwn ? await readProjectModel(input) : await readModel(input)
  // The operator's model may be on a private network, but a project's model may not.
  const own = isOwn ? [] : [new URL(model.url).hostname]
  const deps = { allowPrivateHosts: [...settings.allowPrivateHosts, ...own] }
  const embedder = { ...model, model: options['embedding-model'] ?? model.model }
  yield `${model.model} at ${model.url} (${model.format})`
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
    throw new Error(
      `The model cannot be used. Failed checks: ${failed.map(({ name }) => name).join(', ')}.`,
    )
  yield ''
  yield `OCTAVO_ASSISTANT_URL=${model.url}`
  yield `OCTAVO_ASSISTANT_MODEL=${model.model}`
  yield `OCTAVO_ASSISTANT_FORMAT=${model.format}`
  yield `OCTAVO_ASSISTANT_CONTEXT_TOKENS=${report.settings.contextTokens}`
  yield `OCTAVO_ASSISTANT_TOOLS=${report.settings.hasTools}`
}

async function readProjectModel(input: CommandInput): Promise<ModelSettings> {
  const { database, public_id: publicId } = await findProject(input)
  const settings = await new AssistantSettingsStore(database).read()
  const model = await readOwnModel(database, settings, input.settings.secretKeys)
  if (model === undefined) throw new UsageError(`Project ${publicId} does not have its own model.`)
  return model
}

async function readModel(input: CommandInput): Promise<ModelSettings> {
  const { options, settings } = input
  const operatorModel = settings.assistant.model
  if (options.url === undefined && options.model === undefined && operatorModel !== undefined)
    return operatorModel
  const model = parseModel({
    format: options.format ?? 'openai',
    url: required(options.url, '--url'),
    model: required(options.model, '--model'),
    ...readContext(options),
  })
  return { ...model, key: await readKeyFile(input) }
}
