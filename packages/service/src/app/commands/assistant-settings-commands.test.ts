import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { AssistantSettingsStore, MODEL_KEY_SECRET } from '../../answers/assistant/settings-store.ts'
import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { runCommand } from './run-command.ts'

const CANARY = 'canary-key-of-a-model'
const secretKeys = [{ id: 'k', bytes: randomBytes(32) }]
const MODEL = ['--url', 'https://models.example/v1', '--model', 'small']
let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function assistant(verb: string, ...options: readonly string[]): Promise<string> {
  const lines: string[] = []
  await runCommand(['assistant', verb, project.publicId, ...options], {
    settings: { ...service.settings, secretKeys },
    print: (line) => lines.push(line),
    readInput: async () => `${CANARY}\n`,
    now: Date.now,
  })
  return lines.join('\n')
}

const bound = () => service.service.database.forProject(project.tenant)
const settings = () => new AssistantSettingsStore(bound()).read()
const key = () => createSecretStore(bound(), createKeyRing(secretKeys)).read(MODEL_KEY_SECRET)

describe('octavo-service assistant', () => {
  beforeAll(async () => {
    project = await service.createProject()
  })

  test('by default, the assistant is on and has no model', async () => {
    expect(await assistant('show')).toContain('is on.\nModel: none; answers are quotations')
  })

  test('`assistant set` stores model, key and budget; the key is encrypted and never shown', async () => {
    const shown = await assistant('set', ...MODEL, '--key-file', '-', '--tokens-per-day', '100000')
    expect(shown).toContain('Model: small at https://models.example/v1 (openai, 32768 tokens')
    expect(await settings()).toMatchObject({
      isOn: true,
      masks: true,
      model: { model: 'small', hasTools: true },
      tokensPerDay: 100_000,
      tokensPerMonth: undefined,
    })
    expect(await key()).toBe(CANARY)
    const rows = await service.owner.query('select * from audit_event')
    expect(JSON.stringify([rows, shown, await settings()])).not.toContain(CANARY)
  })

  test('`assistant set` keeps the settings that its options do not name', async () => {
    await assistant('set', '--tools', 'off', '--tokens-per-month', '5', '--mask', 'off')
    expect(await settings()).toMatchObject({
      masks: false,
      model: { url: 'https://models.example/v1', hasTools: false },
      tokensPerDay: 100_000,
      tokensPerMonth: 5,
    })
    expect(await key()).toBe(CANARY)
  })

  test('`assistant set` drops the API key if the model URL changes', async () => {
    await assistant('set', '--url', 'https://other.example')
    expect(await key()).toBeUndefined()
  })

  test('turning the assistant off and on keeps its settings', async () => {
    expect(await assistant('off')).toContain('is off.')
    expect(await settings()).toMatchObject({ isOn: false, model: { model: 'small' } })
    await assistant('set')
    expect(await settings()).toMatchObject({ isOn: true, model: { model: 'small' } })
  })

  test('`assistant set --model none` removes the model and its key', async () => {
    await assistant('set', '--key-file', '-')
    await assistant('set', '--model', 'none', '--tokens-per-day', 'none')
    expect(await settings()).toMatchObject({ model: undefined, tokensPerDay: undefined })
    expect(await key()).toBeUndefined()
  })

  test.each([
    [['--model', 'small'], 'Invalid --url'],
    [['--url', 'ftp://x.example', '--model', 'm'], 'Invalid --url'],
    [[...MODEL, '--format', 'other'], 'Invalid --format'],
    [[...MODEL, '--context-tokens', '1'], 'Invalid --context-tokens'],
    [['--tools', 'yes', ...MODEL], 'Invalid --tools'],
    [['--tokens-per-day', '-1'], ''],
    [['--tokens-per-day', 'many'], 'Invalid --tokens-per-day'],
    [['--key-file', '-'], '--key-file needs --url and --model'],
  ])('`assistant set` rejects the options %s', async (options, message) => {
    await expect(assistant('set', ...options)).rejects.toThrow(message)
  })

  test('`assistant show` prints used tokens, the budget and the tokens saved by the cache', async () => {
    await service.owner.query(
      `insert into assistant_usage (project_id, day, questions, cached, used_tokens, saved_tokens)
       values ($1, (now() at time zone 'UTC')::date, 7, 2, 12345, 678)`,
      [project.id],
    )
    await assistant('set', '--tokens-per-day', '20000')
    expect(await assistant('show')).toContain(
      'Today: 7 questions, 2 from the cache (678 tokens saved), 12,345 tokens used (of 20,000), 0 reserved',
    )
  })
})
