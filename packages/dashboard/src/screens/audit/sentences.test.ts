import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { html } from '../../parts/html.ts'
import { KINDS } from './filter.ts'
import { AUDIT_ACTIONS, sentenceOf } from './sentences.ts'

const SERVICE = join(import.meta.dirname, '../../../../service/src')

/** Returns the actions that the TypeScript and SQL files of the service contain. */
function writtenActions(): ReadonlySet<string> {
  const files = readdirSync(SERVICE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.(?:ts|sql)$/.test(name),
  )
  const found = new Set<string>()
  for (const name of files) {
    const text = readFileSync(join(SERVICE, name), 'utf8')
    if (!/audit|log_person_event|logPersonEvent/i.test(text)) continue
    for (const [, action = ''] of text.matchAll(/'((?:[a-z]+-)?[a-z]+\.[a-z-]+)'/g))
      if (KNOWN_KINDS.some((kind) => action.startsWith(kind)) && !OTHER_NAMES.has(action))
        found.add(action)
  }
  return found
}
/** Strings that look like actions but are not: a file name and kinds of notifications. */
const OTHER_NAMES = new Set(['audit.ndjson', 'build.failed', 'key.expiring', 'assistant.budget'])
const KNOWN_KINDS = Object.keys(KINDS).map((kind) => (kind.endsWith('.') ? kind : `${kind}.`))

const entry = (parts: Partial<AuditEntry>): AuditEntry => ({
  id: '1',
  at: '2026-11-15T14:20:00.000Z',
  actor: 'user usr_5kbu4k41mpelzrqs',
  action: 'key.create',
  object: '',
  ...parts,
})

function textOf(parts: Partial<AuditEntry>) {
  const { words, changes, note } = sentenceOf(entry(parts))
  const text = String(html`${words}`)
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const lines = changes.map(({ label, old, next }) =>
    [label, old, '→', next].filter(Boolean).join(' '),
  )
  return [text, ...lines, ...(note === undefined ? [] : [note])]
}

describe('the words of audit actions', () => {
  const written = writtenActions()

  test('every audit action that the service writes has a sentence', () => {
    expect(written.size).toBeGreaterThan(60)
    expect([...written].filter((action) => !AUDIT_ACTIONS.includes(action))).toEqual([])
  })

  test('every kind in the audit filter is the prefix of an action', () => {
    for (const kind of Object.keys(KINDS))
      expect(
        AUDIT_ACTIONS.filter((action) => action.startsWith(kind)),
        kind,
      ).not.toEqual([])
  })

  test('every audit action has a kind in the filter', () => {
    const kinds = Object.keys(KINDS)
    const missed = AUDIT_ACTIONS.filter((action) => !kinds.some((kind) => action.startsWith(kind)))
    expect(missed).toEqual([])
  })
})

const LIVE = 'deployment 01KG9YS7G0CPZHN1J3EKWGC1Y1'
const mei = { actorName: 'Mei' }
const ana = { actorName: 'Ana' }

test.each<[Partial<AuditEntry>, readonly string[]]>([
  [
    { ...mei, action: 'member.join', object: 'mei@a.example', after: { role: 'editor' } },
    ['Mei accepted the invitation as Editor'],
  ],
  [
    {
      ...ana,
      action: 'member.role',
      objectName: 'Ben',
      before: { role: 'viewer' },
      after: { role: 'editor' },
    },
    ['Ana changed the role of Ben', 'Viewer → Editor'],
  ],
  [
    {
      ...ana,
      action: 'access.set',
      before: { mode: 'public', hasPassword: false },
      after: { mode: 'password', hasPassword: true },
    },
    ['Ana changed who can read the site', 'Mode Everyone → Password', 'Password not set → set'],
  ],
  [
    { actor: 'operator', action: 'member.role', object: 'b@a.example', after: { role: 'owner' } },
    ['The operator made b@a.example Owner'],
  ],
  [
    {
      actor: 'key 5',
      actorName: 'GitHub Actions',
      action: 'deployment.finish',
      object: LIVE,
      objectName: '#126 Shrink the pictures',
      after: { state: 'live' },
    },
    ['GitHub Actions deployed #126 Shrink the pictures'],
  ],
  [
    {
      ...ana,
      action: 'deployment.finish',
      object: LIVE,
      after: { state: 'ready', notPublished: 'locked' },
    },
    ['Ana uploaded', 'Not published: publishing is locked.'],
  ],
  [
    {
      actor: 'git',
      action: 'deployment.finish',
      object: LIVE,
      objectName: '#127 Explain soil',
      after: { state: 'live', commit: 'a41f9c2', author: 'Mei' },
    },
    ['Git deployed #127 Explain soil', 'Commit by Mei.'],
  ],
  [
    {
      ...ana,
      action: 'deployment.publish',
      object: LIVE,
      before: { live: '#126 New' },
      after: { live: '#125 Old', lockReason: 'Rolled back' },
    },
    ['Ana rolled the site back', '#126 New → #125 Old', '“Rolled back”'],
  ],
  [
    {
      actor: 'anonymous',
      action: 'sign-in.refused',
      objectName: 'Ben',
      after: { reason: 'wrong-code', attempts: 5 },
    },
    ['A sign-in as Ben was refused: wrong code, 5 times'],
  ],
  [
    { ...mei, action: 'sign-in.success', after: { method: 'passkey' } },
    ['Mei signed in with a passkey'],
  ],
  [
    { ...mei, action: 'sign-in.success', after: { method: 'provider work' } },
    ['Mei signed in with work'],
  ],
  [{ action: 'build.cancel', object: LIVE }, ['A former member canceled a build']],
  [{ ...ana, action: 'thing.unknown' }, ['Ana · thing.unknown']],
  [
    {
      ...ana,
      action: 'project.settings',
      before: { name: 'Docs', retentionDays: 30, failOn: ['all'] },
      after: { name: 'Docs', retentionDays: 1_000, failOn: [] },
    },
    ['Ana changed the settings', 'Retention days 30 → 1,000', 'Fail on all →'],
  ],
])(
  'the audit log entry %j becomes a sentence with names, and old and new values',
  (parts, lines) => {
    expect(textOf(parts)).toEqual(lines)
  },
)

test('a collapsed audit log entry shows no ids', () => {
  for (const action of AUDIT_ACTIONS) {
    const before = { live: '01KG9YS7G0CPZHN1J3EKWGC1Y1', name: 'Old' }
    const after = { live: '01KG9YS7G0CPZHN1J3EKWGC1Y2', name: 'New' }
    const text = textOf({ action, object: LIVE, before, after }).join(' ')
    expect(text, action).not.toMatch(/01KG|usr_/)
  }
})
