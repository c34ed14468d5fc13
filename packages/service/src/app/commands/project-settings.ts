/** `project set`: each option changes one setting. */
import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { findTrustProblem } from '../../projects/ci-jobs/trust.ts'
import { PUBLIC_ISSUERS } from '../../projects/ci-jobs/verify-job-token.ts'
import { parseWebhookUrl } from '../../projects/notifications/webhooks/change-webhook.ts'
import { WEBHOOK_FORMATS } from '../../projects/notifications/webhooks/deliver-webhook.ts'
import { createWebhookSecret } from '../../projects/notifications/webhooks/sign-webhook.ts'
import {
  type ProjectSettings,
  ProjectStore,
  WEBHOOK_SECRET,
} from '../../projects/projects/store.ts'
import {
  type Lines,
  needSecretKeys,
  numberIn,
  oneOf,
  type ProjectInput,
  readSwitch,
  UsageError,
} from './arguments.ts'

const RETENTION_DAYS = { min: 1, max: 3_660 }

export async function* setProject(input: ProjectInput): Lines {
  const { options } = input
  const changes = [
    ...(options.retention === undefined ? [] : [setRetention]),
    ...(options['playground-proxy'] === undefined ? [] : [setPlaygroundProxy]),
    ...(options.webhook === undefined ? [] : [setWebhook]),
    ...(options['webhook-format'] === undefined ? [] : [setWebhookFormat]),
    ...(options.trust === undefined ? [] : [setTrust]),
  ]
  if (changes.length === 0)
    throw new UsageError(
      'Missing --retention, --playground-proxy, --webhook, --webhook-format or --trust.',
    )
  for (const change of changes) yield* change(input)
}

const save = ({ database, project }: ProjectInput, change: ProjectSettings) =>
  new ProjectStore(database).changeSettings(project, change)

/** Sets how many days conversations are kept. */
async function* setRetention({ database, project, options }: ProjectInput): Lines {
  const complaint = `--retention must be a number of days, 1 to ${RETENTION_DAYS.max}.`
  const days = numberIn(RETENTION_DAYS, options.retention ?? '', complaint)
  const before = await new ProjectStore(database).setRetention(project, days)
  yield `Project ${project.public_id} keeps conversations for ${days} days (before: ${before}).`
}

async function* setPlaygroundProxy(input: ProjectInput): Lines {
  const playgroundProxy = readSwitch(input.options, 'playground-proxy') ?? false
  await save(input, { playgroundProxy })
  yield `The playground proxy of ${input.project.public_id} is ${playgroundProxy ? 'on' : 'off'}.`
}

/** Sets the webhook. Creates a new secret each time, since the old one cannot be shown again. */
async function* setWebhook(input: ProjectInput): Lines {
  const { settings, project, options } = input
  needSecretKeys(input, 'the secret of a webhook')
  const secrets = createSecretStore(project.database, createKeyRing(settings.secretKeys))
  if (options.webhook === 'off') {
    await save(input, { webhook: null, webhookAttempt: null })
    await secrets.remove(WEBHOOK_SECRET)
    yield `The webhook of ${project.public_id} is off.`
    return
  }
  const url = parseWebhookUrl(options.webhook ?? '', settings.allowPrivateHosts)
  if (typeof url === 'string') throw new UsageError(`Invalid --webhook: ${url}`)
  const secret = createWebhookSecret()
  await secrets.write(WEBHOOK_SECRET, secret)
  await save(input, { webhook: url.href, webhookAttempt: null })
  yield `The webhook of ${project.public_id} is ${url.href}. Its signing secret (shown only once):`
  yield secret
}

async function* setWebhookFormat(input: ProjectInput): Lines {
  const webhookFormat = oneOf(
    WEBHOOK_FORMATS,
    input.options['webhook-format'],
    `Invalid --webhook-format: expected ${WEBHOOK_FORMATS.join(' or ')}.`,
  )
  await save(input, { webhookFormat })
  yield `The webhook of ${input.project.public_id} sends messages in the format ${webhookFormat}.`
}

async function* setTrust(input: ProjectInput): Lines {
  const { settings, project } = input
  const { trust = [] } = input.options
  if (trust.length === 1 && trust[0] === 'off') {
    await save(input, { trust: null })
    yield `No CI job may deploy ${project.public_id} without a key.`
    return
  }
  const issuers = [...PUBLIC_ISSUERS, ...settings.oidcIssuers].map(({ name }) => name)
  for (const text of trust) {
    const problem = findTrustProblem(text, issuers)
    if (problem !== undefined) throw new UsageError(`Invalid --trust: ${problem}`)
  }
  await save(input, { trust })
  yield `CI jobs of these repositories may deploy ${project.public_id}: ${trust.join(', ')}.`
}
