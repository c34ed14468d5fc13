/** Audit log entries as sentences. Unknown actions are shown as they are. */
import type { AuditEntry } from '@octavo/contract'
import { type HtmlPart, html } from '../../parts/html.ts'
import type { Scope } from '../../visit/screen.ts'
import { roleName, SCOPE_WORDS } from '../members/role-words.ts'
import { type Change, changesOf, printValue } from './changes.ts'

/**
 * Sentence templates: `{object}` is the object's name, `{role}` the new role, and other
 * placeholders are values of the entry.
 */
const SENTENCES: Readonly<Record<string, string>> = {
  'access.end-sessions': 'signed all readers out',
  'access.set': 'changed who can read the site',
  'access.token-create': 'created the reader token {name}',
  'access.token-delete': 'deleted a reader token',
  'access.tokens-delete': 'deleted {tokens} reader tokens',
  'assistant.off': 'turned the assistant off',
  'assistant.set': 'changed the assistant settings',
  'audit.export': 'downloaded the audit log',
  'build.cancel': 'canceled a build',
  'build.create': 'started a build',
  'build.retry': 'retried a build',
  'connection.add': 'connected the repository {url}',
  'connection.change': 'changed the Git connection',
  'connection.remove': 'disconnected the repository',
  'conversation.delete': 'deleted a conversation',
  'conversations.export': 'downloaded conversations',
  'conversations.import': 'imported {count} conversations',
  'deployment.cancel': 'canceled the deployment {object}',
  'deployment.finish': 'deployed {object}',
  'deployment.proof': 'sent results of samples for the deployment {object}',
  'deployment.publish': 'published {object}',
  'deployment.remove': 'took down the deployment {object}',
  'domain.active': 'verified the domain {object}',
  'domain.add': 'added the domain {object}',
  'domain.change': 'changed the redirect of {object}',
  'domain.lapsed': 'stopped serving {object}, whose DNS record is missing',
  'domain.lost': 'lost {object} to another organization that proved ownership',
  'domain.missing': 'did not find the DNS record of {object}',
  'domain.remove': 'removed the domain {object}',
  'feedback.change': 'changed the state of a comment',
  'feedback.delete': 'deleted a comment',
  'gap.add': 'created a gap from a conversation',
  'gap.dismiss': 'dismissed a gap',
  'gap.link': 'linked a page to a gap',
  'gap.reopen': 'reopened a gap',
  'gap.undo': 'undid a change to gaps',
  'gap.verify': 'verified a gap',
  'key.create': 'created the key {object}',
  'key.revoke': 'revoked the key {object}',
  'key.rotate': 'rotated the key {object}',
  'member.invite': 'invited {object} as {role}',
  'member.join': 'accepted the invitation as {role}',
  'member.remove': 'removed {object}',
  'member.role': 'changed the role of {object}',
  'member.verify': 'verified their address',
  'member.withdraw': 'withdrew the invitation for {object}',
  'organization.delete': 'deleted the organization',
  'organization.rename': 'renamed the organization',
  'organization.set-up': 'set up the organization {organization}',
  'organization.storage': 'changed the storage limit',
  'preview.approve': 'allowed scripts of a preview',
  'preview.delete': 'deleted a preview',
  'project.archive': 'archived the project',
  'project.create': 'created the project {name}',
  'project.delete': 'deleted the project {name}',
  'project.erase': 'permanently deleted the project {name}',
  'project.export': 'exported the project',
  'project.import': 'imported the project',
  'project.lock': 'locked publishing',
  'project.notices': 'changed the notifications',
  'project.restore': 'restored the project',
  'project.resume': 'resumed the project',
  'project.retention': 'changed how long conversations are kept',
  'project.settings': 'changed the settings',
  'project.suspend': 'suspended the project',
  'project.transfer': 'transferred the project',
  'project.unlock': 'unlocked publishing',
  'sign-in.codes': 'created new recovery codes',
  'sign-in.link': 'created a login link for {object}',
  'sign-in.passkey-add': 'added the passkey {name}',
  'sign-in.passkey-remove': 'removed the passkey {name}',
  'sign-in.success': 'signed in with {method}',
  'webhook.remove': 'removed the webhook',
  'webhook.set': 'set the webhook',
}

export const AUDIT_ACTIONS: readonly string[] = [...Object.keys(SENTENCES), 'sign-in.refused']

export type Sentence = {
  readonly words: HtmlPart
  /** Changes that are shown below the sentence even if the entry is collapsed. */
  readonly changes: readonly Change[]
  readonly note?: string | undefined
}

const HIDDEN_REASONS: Readonly<Record<string, string>> = {
  draft: 'Not published: it is a draft.',
  locked: 'Not published: publishing is locked.',
  older: 'Not published: a newer deployment is live.',
}

export function sentenceOf(entry: AuditEntry): Sentence {
  const { action } = entry
  if (action === 'sign-in.refused') return refusedSignIn(entry)
  const who = html`<b>${actorName(entry)}</b>`
  const after = valuesOf(entry.after)
  const template = templateOf(entry) ?? (Object.hasOwn(SENTENCES, action) && SENTENCES[action])
  if (!template) return { words: html`${who} · ${action}`, changes: [] }
  return {
    words: html`${who} ${fill(template, entry)}`,
    changes: changesShown(entry),
    note: noteOf(action, after),
  }
}

/** Actions whose sentence already says everything that changed. */
const COMPLETE_SENTENCES = new Set([
  'member.join',
  'member.remove',
  'member.withdraw',
  'project.lock',
])
/** Actions that change only one value, which is shown without a label. */
const ONE_VALUE: Readonly<Record<string, string>> = {
  'deployment.publish': 'Live',
  'member.role': 'Role',
  'organization.rename': 'Name',
}

function changesShown({ action, before, after }: AuditEntry): readonly Change[] {
  if (COMPLETE_SENTENCES.has(action)) return []
  const changes = changesOf(before, after)
  const only = ONE_VALUE[action]
  if (only === undefined) return changes
  return changes.filter(({ label }) => label === only).map((change) => ({ ...change, label: '' }))
}

function templateOf({ action, before, after }: AuditEntry): string | undefined {
  const { lockReason, notPublished, state } = valuesOf(after)
  if (action === 'member.role' && before === undefined) return 'made {object} {role}'
  if (action === 'deployment.publish' && lockReason) return 'rolled the site back'
  if (action !== 'deployment.finish') return undefined
  if (notPublished) return 'uploaded {object}'
  return state === 'ready' ? 'deployed the preview {object}' : undefined
}

function noteOf(action: string, after: Values): string | undefined {
  if (action === 'deployment.finish') {
    const why = HIDDEN_REASONS[String(after.notPublished ?? '')]
    return after.author ? `Commit by ${String(after.author)}. ${why ?? ''}`.trim() : why
  }
  if (after.lockReason) return `“${String(after.lockReason)}”`
  if (action === 'key.create') return scopesText(after.scopes)
  if (!action.endsWith('.export')) return undefined
  const [from, to] = [after.dateFrom ?? after.from, after.dateTo ?? after.to]
  if (from === undefined && to === undefined) return undefined
  return [from && `from ${String(from)}`, to && `before ${String(to)}`].filter(Boolean).join(', ')
}

function scopesText(scopes: unknown): string | undefined {
  if (!Array.isArray(scopes)) return undefined
  const names = scopes.map((scope) =>
    Object.hasOwn(SCOPE_WORDS, scope) ? SCOPE_WORDS[scope as Scope].name : String(scope),
  )
  return names.join(' · ')
}

function refusedSignIn(entry: AuditEntry): Sentence {
  const { reason, attempts } = valuesOf(entry.after)
  const why = REFUSALS[String(reason)] ?? String(reason)
  const times = typeof attempts === 'number' ? `, ${attempts} times` : ''
  return {
    words: html`A sign-in as <b>${objectName(entry)}</b> was refused: ${why}${times}`,
    changes: [],
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  'wrong-code': 'wrong code',
  'not-accepted': 'the passkey was not accepted',
  disabled: 'the account is disabled',
  'other-account': 'the address belongs to another account of the provider',
}

const METHODS: Readonly<Record<string, string>> = {
  passkey: 'a passkey',
  'recovery-code': 'a recovery code',
  email: 'a code by e-mail',
  'login-link': 'a login link',
  invitation: 'an invitation link',
  'setup-link': 'the setup link',
  'command-line': 'the command line',
}

function fill(template: string, entry: AuditEntry): HtmlPart {
  const parts = template.split(/\{(\w+)\}/)
  return parts.map((part, index) => {
    if (index % 2 === 0) return part
    const word = wordFor(part, entry)
    return PLAIN.has(part) ? word : html`<b>${word}</b>`
  })
}

const PLAIN = new Set(['method', 'count', 'tokens'])

function wordFor(name: string, entry: AuditEntry): string {
  const value = valuesOf(entry.after)[name] ?? valuesOf(entry.before)[name]
  if (name === 'object') return objectName(entry)
  if (name === 'role') return roleName(String(value))
  if (name === 'method') return methodName(String(value))
  return printValue(value) ?? ''
}

const methodName = (method: string) => METHODS[method] ?? method.replace(/^provider /, '')

/**
 * Returns the name of the object; empty if only its id is known, which the expanded entry shows.
 */
function objectName({ objectName: name, object, after, before }: AuditEntry): string {
  const known = name ?? valuesOf(after).name ?? valuesOf(before).name
  if (typeof known === 'string') return known
  return /^\w+ \S+$/.test(object) ? '' : object
}

export function actorName({ actor, actorName: name }: AuditEntry): string {
  if (name !== undefined) return name
  const [kind = '', id = ''] = actor.split(' ')
  if (kind === 'user') return 'A former member'
  if (kind === 'key') return 'A deleted key'
  if (kind === 'provider') return `The groups of ${id}`
  if (actor === 'operator') return 'The operator'
  if (actor === 'git') return 'Git'
  return actor === 'service' ? 'The service' : actor
}

type Values = Readonly<Record<string, unknown>>

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : {}
}
