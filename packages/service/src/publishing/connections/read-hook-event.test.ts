import { PROVIDER_KINDS } from '@octavo/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HookEvent, readHookEvent, refOfEvent } from './read-hook-event.ts'

const main = { kind: 'push', branch: 'main' }
const other = { kind: 'other' }

describe('events of GitHub, Gitea and Forgejo', () => {
  test.each<[string, object, object]>([
    ['ping', { zen: '…' }, { kind: 'ping' }],
    ['push', { ref: 'refs/heads/main', after: '2'.repeat(40) }, main],
    ['push', { ref: 'refs/heads/main', deleted: true, after: '0'.repeat(40) }, main],
    ['push', { ref: 'refs/heads/feature/a' }, { kind: 'push', branch: 'feature/a' }],
    ['push', { ref: 'refs/tags/v1' }, other],
    ['push', { ref: 'main' }, other],
    ['push', { ref: 7 }, other],
    ['push', {}, other],
    ['create', { ref: 'main', ref_type: 'branch' }, main],
    ['delete', { ref: 'main', ref_type: 'branch' }, main],
    ['create', { ref: 'v1', ref_type: 'tag' }, other],
    [
      'pull_request',
      { action: 'synchronize', number: 7, pull_request: {} },
      { kind: 'pull-request', number: 7, action: 'synchronize' },
    ],
    [
      'pull_request_sync',
      { action: 'synchronized', number: 7 },
      { kind: 'pull-request', number: 7, action: 'synchronized' },
    ],
    ['pull_request', { action: 'opened', number: -1 }, other],
    ['issues', { action: 'opened' }, other],
  ])(
    'the GitHub or Gitea webhook event %s is read correctly from %j',
    (event, payload, expected) => {
      for (const provider of ['github', 'gitea'] as const)
        expect(readHookEvent(provider, event, payload)).toEqual(expected)
    },
  )
})

describe('events of GitLab', () => {
  test.each<[string, object, object]>([
    ['Push Hook', { object_kind: 'push', ref: 'refs/heads/main', after: '0'.repeat(40) }, main],
    ['Tag Push Hook', { object_kind: 'tag_push', ref: 'refs/tags/v1' }, other],
    [
      'Merge Request Hook',
      { object_attributes: { iid: 3, action: 'open', source_branch: 'topic' } },
      { kind: 'pull-request', number: 3, action: 'open' },
    ],
    [
      'Merge Request Hook',
      { object_attributes: { iid: 3 } },
      { kind: 'pull-request', number: 3, action: 'update' },
    ],
    ['Issue Hook', {}, other],
  ])('the GitLab webhook event %s is read correctly from %j', (event, payload, expected) => {
    expect(readHookEvent('gitlab', event, payload)).toEqual(expected)
  })
})

describe('events of other senders', () => {
  const branch = (name: string) => ({ type: 'branch', name })
  test.each<[string | null, object, object]>([
    [null, {}, other],
    [null, { ref: 'refs/heads/main' }, main],
    ['repo:push', { push: { changes: [{ new: branch('main') }] } }, main],
    ['repo:push', { push: { changes: [{ new: null, old: branch('main') }] } }, main],
    ['repo:push', { push: { changes: [{ new: branch('a') }, { new: branch('b') }] } }, other],
    ['repo:push', { push: { changes: [{ new: { type: 'tag', name: 'v1' } }] } }, other],
    [
      'pullrequest:created',
      { pullrequest: { id: 4 } },
      { kind: 'pull-request', number: 4, action: 'created' },
    ],
  ])('the generic webhook event %s is read correctly from %j', (event, payload, expected) => {
    expect(readHookEvent('git', event, payload)).toEqual(expected)
  })
})

test('every JSON payload is read without an error, and the ref that is found can be stored', () => {
  const events = ['push', 'pull_request', 'create', 'Push Hook', 'Merge Request Hook', 'repo:push']
  const ref = fc.record({
    ref: fc.string({ unit: 'binary', maxLength: 400 }).map((text) => `refs/heads/${text}`),
    number: fc.integer(),
    action: fc.string(),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...PROVIDER_KINDS),
      fc.constantFrom(...events, null),
      fc.oneof(fc.jsonValue(), ref),
      (provider, event, payload) => {
        const read: HookEvent = readHookEvent(provider, event, payload)
        const name = refOfEvent(read)
        expect(name === null || (name.length <= 250 && !/\p{C}/u.test(name))).toBe(true)
      },
    ),
  )
})
