import { KEY_SCOPES } from '@octavo/contract'
import { parseHostName } from '@octavo/outbound'
import { slugOf } from '../../people/organizations/slugs.ts'
import { ensureOrganization } from '../../people/organizations/store.ts'
import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { createApiKey } from '../../projects/api-keys/create-api-key.ts'
import { createKeyStore } from '../../projects/api-keys/store.ts'
import { parseTrust } from '../../projects/ci-jobs/trust.ts'
import { PUBLIC_ISSUERS } from '../../projects/ci-jobs/verify-job-token.ts'
import { WEBHOOK_FORMATS } from '../../projects/notifications/webhooks/deliver-webhook.ts'
import {
  createWebhookSecret,
  WEBHOOK_SECRET,
} from '../../projects/notifications/webhooks/sign-webhook.ts'
import { createProjectStore, type ProjectRow, tenantOf } from '../../projects/projects/store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

const FIRST_ORGANIZATION = 'Default'
const FIRST_KEY = 'first'
const RETENTION_DAYS_MAX = 3_660

/** `project create`: the id is the last line, for `tail -n 1`. */
export async function createProject(input: CommandInput): Promise<void> {
  const { database, words, options, print } = input
  const name = required(words.join(' '), 'project name')
  const organization = await ensureOrganization(
    database,
    options.organization ?? FIRST_ORGANIZATION,
  )
  const projects = createProjectStore(database)
  const wanted = options.project ?? slugOf(name)
  const isTaken = (await projects.find(wanted)) !== undefined
  if (isTaken && options.project !== undefined)
    throw new UsageError(`A project with the slug "${wanted}" already exists.`)
  const slug = isTaken ? slugOf(wanted, { unique: true }) : wanted
  const project = await projects.insert({ organizationId: organization.id, name, slug })
  print(`Created project "${project.name}". Its id:`)
  print(project.public_id)
}

/** `project set`: each option is a setting of its own. */
export async function setProject(input: CommandInput): Promise<void> {
  const { options } = input
  const project = await findProject(input)
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
  for (const change of changes) await change(input, project)
}

async function setPlaygroundProxy(input: CommandInput, project: ProjectRow): Promise<void> {
  const word = input.options['playground-proxy']
  if (word !== 'on' && word !== 'off')
    throw new UsageError('Invalid --playground-proxy: expected on or off.')
  const playgroundProxy = word === 'on'
  await createProjectStore(input.database).changeSettings(project, { playgroundProxy })
  input.print(`The playground proxy of ${project.public_id} is ${word}.`)
}

/** Each time with a new secret: the old one cannot be shown again. */
async function setWebhook(input: CommandInput, project: ProjectRow): Promise<void> {
  const { database, settings, options, print } = input
  const { webhook: word = '' } = options
  const projects = createProjectStore(database)
  if (settings.secretKeys.length === 0)
    throw new UsageError(
      'OCTAVO_SECRET_KEYS is not set, so the secret of a webhook cannot be stored. Generate its value with: echo "1:$(openssl rand -base64 32)"',
    )
  const ring = createKeyRing(settings.secretKeys)
  const secrets = createSecretStore(database.forProject(tenantOf(project)), ring)
  if (word === 'off') {
    await projects.changeSettings(project, { webhook: null })
    await secrets.remove(WEBHOOK_SECRET)
    print(`The webhook of ${project.public_id} is off.`)
    return
  }
  const url = URL.parse(word)
  const isPrivate = settings.allowPrivateHosts.some((host) => parseHostName(host) === url?.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isPrivate)))
    throw new UsageError('Invalid --webhook: expected an https URL, or off.')
  if (url.username !== '' || url.password !== '')
    throw new UsageError('Invalid --webhook: the URL must not contain a user name or password.')
  const secret = createWebhookSecret()
  await secrets.write(WEBHOOK_SECRET, secret)
  await projects.changeSettings(project, { webhook: url.href })
  print(`The webhook of ${project.public_id} is ${url.href}. Its signing secret (shown only once):`)
  print(secret)
}

async function setWebhookFormat(input: CommandInput, project: ProjectRow): Promise<void> {
  const word = input.options['webhook-format']
  const webhookFormat = WEBHOOK_FORMATS.find((format) => format === word)
  if (webhookFormat === undefined)
    throw new UsageError(`Invalid --webhook-format: expected ${WEBHOOK_FORMATS.join(' or ')}.`)
  await createProjectStore(input.database).changeSettings(project, { webhookFormat })
  input.print(`The webhook of ${project.public_id} sends messages in the format ${webhookFormat}.`)
}

async function setTrust(input: CommandInput, project: ProjectRow): Promise<void> {
  const { settings, options, print } = input
  const { trust = [] } = options
  const projects = createProjectStore(input.database)
  if (trust.length === 1 && trust[0] === 'off') {
    await projects.changeSettings(project, { trust: null })
    print(`No CI job may deploy ${project.public_id} without a key.`)
    return
  }
  const issuers = [...PUBLIC_ISSUERS, ...settings.oidcIssuers].map(({ name }) => name)
  for (const text of trust) {
    const parsed = parseTrust(text)
    if (parsed === undefined)
      throw new UsageError(`Invalid --trust "${text}": expected github:owner/name[@branch].`)
    if (!issuers.includes(parsed.issuer))
      throw new UsageError(
        `Unknown issuer "${parsed.issuer}" in --trust. Available: ${issuers.join(', ')}.`,
      )
  }
  await projects.changeSettings(project, { trust })
  print(`CI jobs of these repositories may deploy ${project.public_id}: ${trust.join(', ')}.`)
}

/** How long the conversations of a project are kept. */
async function setRetention(input: CommandInput, project: ProjectRow): Promise<void> {
  const { retention: days = '' } = input.options
  const retentionDays = /^\d{1,4}$/.test(days) ? Number(days) : 0
  if (retentionDays < 1 || retentionDays > RETENTION_DAYS_MAX)
    throw new UsageError(`--retention must be a number of days, 1 to ${RETENTION_DAYS_MAX}.`)
  const before = await createProjectStore(input.database).setRetention(project, retentionDays)
  input.print(
    `Project ${project.public_id} keeps conversations for ${retentionDays} days (before: ${before}).`,
  )
}

/**
 * `init`: the first organization, project and admin key, for scripts. Run again it changes nothing
 * and makes no second key: the text of a key is not kept, so it cannot be shown again.
 */
export async function initialize(input: CommandInput): Promise<void> {
  const { database, options, settings, print } = input
  const name = required(options.organization, '--organization')
  const slug = required(options.project, '--project')
  const organization = await ensureOrganization(database, name)
  const projects = createProjectStore(database)
  const found = await projects.find(slug)
  if (found !== undefined && found.organization_id !== organization.id)
    throw new UsageError(`The project "${slug}" belongs to another organization.`)
  if (found !== undefined && found.deleted_at !== null)
    throw new UsageError(
      `The project "${slug}" was deleted. Run \`project restore ${slug}\` first.`,
    )
  const project =
    found ?? (await projects.insert({ organizationId: organization.id, name: slug, slug }))
  const bound = database.forProject(tenantOf(project))
  const keys = await createKeyStore(bound).list()
  const hasKey = keys.some(({ name, revoked_at }) => name === FIRST_KEY && revoked_at === null)
  const key = hasKey
    ? undefined
    : await createApiKey(
        { database: bound, pepper: settings.pepper },
        { kind: 'admin', name: FIRST_KEY, scopes: KEY_SCOPES, allowedFrom: null, expiresAt: null },
      )
  if (options.json) {
    print(JSON.stringify({ projectId: project.public_id, adminKey: key?.token ?? null }))
    return
  }
  print(`Project ${project.public_id} (${project.slug}) of ${organization.name}.`)
  print(
    key === undefined
      ? 'It already has an admin key; run `key create` to create another.'
      : `Admin key (shown only once): ${key.token}`,
  )
}
