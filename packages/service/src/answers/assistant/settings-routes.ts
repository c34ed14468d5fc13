import {
  AssistantAnswer,
  AssistantBody,
  AssistantQuestion,
  AssistantReply,
  ModelChoice,
} from '@octavo/contract'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import { TESTS_PER_HOUR } from './ask-live.ts'
import { readOwnModel } from './choose-answerer.ts'
import { saveAssistant } from './save-settings.ts'
import type { OperatorAssistant } from './settings.ts'
import {
  type AssistantSettings,
  AssistantSettingsStore,
  type AssistantUse,
  budgetOf,
} from './settings-store.ts'

const PATH = '/v1/projects/:projectId/assistant'
/** Properties that all routes of the assistant share. */
const SHARED = {
  tag: 'Assistant',
  caller: { kind: 'adminKey', scope: 'project:write' },
  params: ProjectParams,
} as const

export type AssistantRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly settings: Pick<SecretSettings, 'secretKeys'> & { readonly assistant: OperatorAssistant }
  /** Answers a test question from the live site; undefined if the service stores no sites. */
  readonly askLive: ((tenant: Tenant, question: string) => Promise<AssistantAnswer>) | undefined
}

export const assistantRoutes = (deps: AssistantRouteDeps): readonly Route[] => [
  getAssistant(deps),
  setAssistant(deps),
  turnAssistantOff(deps),
  testAssistant(deps),
]

const getAssistant = ({ databaseOf, settings }: AssistantRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: PATH,
    summary: 'Get the assistant',
    description:
      'The settings of the assistant, and the tokens used today and this month (UTC). The API key of the model is never returned.',
    reply: AssistantReply,
    handle: ({ caller }) => show(databaseOf(caller.tenant), settings),
  })

const setAssistant = ({ databaseOf, settings }: AssistantRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'PUT',
    path: PATH,
    summary: 'Set the assistant',
    description:
      "Turns the assistant on and changes the given settings. The model's base URL must be public unless the operator allows its host. For a model on a different server, the API key is required again.",
    body: AssistantBody,
    reply: AssistantReply,
    problems: ['conflict'],
    async handle({ caller, body, clientAddress }) {
      const database = databaseOf(caller.tenant)
      const { key, ...model } = body.model ?? {}
      const { secretKeys } = settings
      if (key !== undefined && secretKeys.length === 0)
        throw new Problem(
          'conflict',
          'This service stores no secrets: OCTAVO_SECRET_KEYS is not set.',
          { param: 'model.key' },
        )
      const before = await new AssistantSettingsStore(database).read()
      const after: AssistantSettings = {
        isOn: true,
        masks: body.mask ?? before.masks,
        needsProof: body.proofOfWork ?? before.needsProof,
        asksInPreviews: body.askInPreviews ?? before.asksInPreviews,
        model: changed(body.model === null ? null : body.model && model, before.model),
        tokensPerDay: changed(body.tokensPerDay, before.tokensPerDay),
        tokensPerMonth: changed(body.tokensPerMonth, before.tokensPerMonth),
      }
      const requester = requesterOf({ caller, clientAddress })
      await saveAssistant({ database, secretKeys, requester }, { before, after, key })
      return show(database, settings)
    },
  })

const turnAssistantOff = ({ databaseOf, settings }: AssistantRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'DELETE',
    path: PATH,
    summary: 'Turn the assistant off',
    description: 'Hides the assistant from readers within seconds. Its settings are kept.',
    async handle({ caller, clientAddress }) {
      const database = databaseOf(caller.tenant)
      const { secretKeys } = settings
      const before = await new AssistantSettingsStore(database).read()
      const requester = requesterOf({ caller, clientAddress })
      const change = { before, after: { ...before, isOn: false }, key: undefined }
      if (before.isOn) await saveAssistant({ database, secretKeys, requester }, change)
      return undefined
    },
  })

const testAssistant = ({ askLive }: AssistantRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: `${PATH}/test`,
    summary: 'Ask the assistant',
    description:
      'Answers a question from the live site, as it would for a reader. The tokens count against the budget. The question is not counted, and no conversation is recorded.',
    body: AssistantQuestion,
    reply: AssistantAnswer,
    problems: ['conflict'],
    limit: { action: 'assistant test', perHour: TESTS_PER_HOUR },
    async handle({ caller, body }) {
      if (askLive === undefined)
        throw new Problem('conflict', 'This service stores no sites: OCTAVO_BLOBS is not set.')
      return askLive(caller.tenant, body.question)
    },
  })

async function show(
  database: ProjectDatabase,
  service: AssistantRouteDeps['settings'],
): Promise<AssistantReply> {
  const store = new AssistantSettingsStore(database)
  const settings = await store.read()
  const { day, month } = await store.use()
  const own = ModelChoice.safeParse(settings.model)
  const model = own.success ? await readOwnModel(database, settings, service.secretKeys) : undefined
  const budget = budgetOf(settings, service.assistant)
  return {
    isOn: settings.isOn,
    mask: settings.masks,
    proofOfWork: settings.needsProof,
    askInPreviews: settings.asksInPreviews,
    model: own.success ? { ...own.data, hasKey: model?.key !== undefined } : null,
    serviceModel: service.assistant.model?.model ?? null,
    tokensPerDay: settings.tokensPerDay ?? null,
    tokensPerMonth: settings.tokensPerMonth ?? null,
    today: showUse(day, budget.tokensPerDay),
    month: showUse(month, budget.tokensPerMonth),
  }
}

/**
 * Returns the new value of a setting. An omitted input leaves it unchanged, and null removes it.
 */
const changed = <Value>(input: Value | null | undefined, before: Value): Value | undefined =>
  input === undefined ? before : (input ?? undefined)

const showUse = ({ questions, cached, used }: AssistantUse, tokensMax: number | undefined) => ({
  questions,
  cached,
  tokens: used,
  tokensMax: tokensMax ?? null,
})
