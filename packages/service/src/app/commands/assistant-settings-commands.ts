/** What operators set for the assistant of a project, for its owner. */
import { ModelChoice, type ModelSettings } from '@octavo/contract'
import { saveAssistant } from '../../answers/assistant/save-settings.ts'
import {
  type AssistantSettings,
  AssistantSettingsStore,
  type AssistantUse,
} from '../../answers/assistant/settings-store.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { type CommandInput, findProject, UsageError } from './arguments.ts'
import { readModelKey } from './assistant-commands.ts'

type StoredModel = Omit<ModelSettings, 'key'>

/** `assistant set`: what is not named stays as it was. */
export async function setAssistant(input: CommandInput): Promise<void> {
  const { options, print } = input
  const { database, public_id: id } = await findProject(input)
  const store = new AssistantSettingsStore(database)
  const before = await store.read()
  const model = options.model === 'none' ? undefined : changeModel(before.model, input)
  const settings: AssistantSettings = {
    isOn: true,
    masks: readSwitch(options.mask, 'mask') ?? before.masks,
    needsProof: readSwitch(options.proof, 'proof') ?? before.needsProof,
    model,
    tokensPerDay: readTokens(options['tokens-per-day'], 'tokens-per-day', before.tokensPerDay),
    tokensPerMonth: readTokens(
      options['tokens-per-month'],
      'tokens-per-month',
      before.tokensPerMonth,
    ),
  }
  const { secretKeys } = input.settings
  const key = await readNewKey(input, model)
  await saveAssistant(
    { database, secretKeys, requester: OPERATOR },
    { before, after: settings, key },
  )
  print(`The assistant of ${id} is on.`)
  printSettings(input, settings)
}

export async function turnAssistantOff(input: CommandInput): Promise<void> {
  const { database, public_id: id } = await findProject(input)
  const before = await new AssistantSettingsStore(database).read()
  const { secretKeys } = input.settings
  await saveAssistant(
    { database, secretKeys, requester: OPERATOR },
    { before, after: { ...before, isOn: false }, key: undefined },
  )
  input.print(`The assistant of ${id} is off.`)
}

export async function showAssistant(input: CommandInput): Promise<void> {
  const { database, public_id: id } = await findProject(input)
  const store = new AssistantSettingsStore(database)
  const settings = await store.read()
  const { day, month } = await store.use()
  input.print(`The assistant of ${id} is ${settings.isOn ? 'on' : 'off'}.`)
  printSettings(input, settings)
  const { tokensPerDay: perDay, tokensPerMonth: perMonth } = input.settings.assistant
  printUse(input, 'Today', day, settings.tokensPerDay ?? perDay)
  printUse(input, 'This month', month, settings.tokensPerMonth ?? perMonth)
}

function changeModel(before: unknown, { options }: CommandInput): StoredModel | undefined {
  const { url, model, format, 'context-tokens': context } = options
  const hasTools = readSwitch(options.tools, 'tools')
  const changes = {
    ...(url !== undefined && { url }),
    ...(model !== undefined && { model }),
    ...(format !== undefined && { format }),
    ...(context !== undefined && { contextTokens: Number(context) }),
    ...(hasTools !== undefined && { hasTools }),
  }
  if (before === undefined && Object.keys(changes).length === 0) return undefined
  const known = ModelChoice.safeParse(before)
  const parsed = ModelChoice.safeParse({ format: 'openai', ...known.data, ...changes })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = issue?.path[0] === 'contextTokens' ? 'context-tokens' : String(issue?.path[0])
  throw new UsageError(`Invalid --${name}: ${issue?.message}`)
}

/** The new key of the model, if there is one and it can be stored. */
async function readNewKey(
  input: CommandInput,
  model: StoredModel | undefined,
): Promise<string | undefined> {
  const key = await readModelKey(input)
  if (key === undefined) return undefined
  if (model === undefined) throw new UsageError('--key-file needs --url and --model.')
  if (input.settings.secretKeys.length > 0) return key
  throw new UsageError(
    'OCTAVO_SECRET_KEYS is not set, so the key of a model cannot be stored. Generate its value with: echo "1:$(openssl rand -base64 32)"',
  )
}

function readSwitch(word: string | undefined, option: string): boolean | undefined {
  if (word === undefined) return undefined
  if (word === 'on' || word === 'off') return word === 'on'
  throw new UsageError(`Invalid --${option}: expected on or off.`)
}

function readTokens(
  word: string | undefined,
  option: string,
  before: number | undefined,
): number | undefined {
  if (word === undefined) return before
  if (word === 'none') return undefined
  if (/^\d{1,15}$/.test(word)) return Number(word)
  throw new UsageError(`Invalid --${option}: expected a number of tokens, or none.`)
}

function printSettings({ print, settings: service }: CommandInput, settings: AssistantSettings) {
  const own = ModelChoice.safeParse(settings.model)
  const model = own.success ? own.data : service.assistant.model
  const whose = own.success ? '' : ', of the service'
  print(
    model === undefined
      ? 'Model: none; answers are quotations'
      : `Model: ${model.model} at ${model.url} (${model.format}, ${model.contextTokens} tokens, tools ${model.hasTools ? 'on' : 'off'}${whose})`,
  )
  print(`Masking of keys, e-mail addresses and card numbers: ${settings.masks ? 'on' : 'off'}`)
  print(`Proof of work before the first question: ${settings.needsProof ? 'on' : 'off'}`)
}

function printUse(
  { print }: CommandInput,
  title: string,
  use: AssistantUse,
  limit: number | undefined,
): void {
  const number = (count: number) => count.toLocaleString('en-US')
  const budget = limit === undefined ? 'no limit' : `of ${number(limit)}`
  print(
    `${title}: ${number(use.questions)} questions, ${number(use.cached)} from the cache (${number(use.saved)} tokens saved), ${number(use.used)} tokens used (${budget}), ${number(use.reserved)} set aside`,
  )
}
