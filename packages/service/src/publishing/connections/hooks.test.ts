/** Sends webhooks to a real service, in the way that each provider does. */
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readResponse } from '../../../testing/expect-problem.ts'
import {
  type ConnectedProject,
  connectProject,
  octavo,
  SECRET_KEYS,
} from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { signWebhook } from '../../projects/notifications/webhooks/sign-webhook.ts'
import { HOOK_BYTES_MAX } from './authenticate-hook.ts'

const NOW = Date.UTC(2026, 10, 15)
const JSON_TYPE = { 'content-type': 'application/json' }
let service: TestService
const projects: Record<string, ConnectedProject> = {}
beforeAll(async () => {
  service = await startTestService({ secretKeys: SECRET_KEYS, now: () => NOW })
  for (const provider of ['github', 'gitlab', 'gitea', 'git'])
    projects[provider] = await connect(provider)
})
afterAll(() => service.stop())

async function connect(provider: string): Promise<ConnectedProject> {
  const url = 'https://git.example.com/o/n'
  const project = await connectProject(service, ['--url', url, '--provider', provider])
  // `connection add` queued a check. Remove it, so that only checks from webhooks remain.
  await service.owner.query(
    `delete from jobs.job where name = 'check' and data->>'projectId' = $1`,
    [project.tenant.projectId],
  )
  return project
}

function projectOf(provider: string): ConnectedProject {
  const project = projects[provider]
  if (project === undefined) throw new Error(`no project for ${provider}`)
  return project
}

type Headers = Record<string, string>
type Sent = { readonly headers: Headers; readonly body: string }

const hmac = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex')

let deliveries = 0
function newId(): string {
  deliveries += 1
  return `delivery-${deliveries}`
}

const PUSH = JSON.stringify({
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
  deleted: false,
  repository: { id: 1, default_branch: 'main' },
})
const GITLAB_PUSH = JSON.stringify({
  object_kind: 'push',
  ref: 'refs/heads/main',
  checkout_sha: '2'.repeat(40),
  project: { id: 1, default_branch: 'main' },
})

/** Changes one character of a secret. */
const otherSecret = (secret: string) =>
  `${secret.slice(0, 10)}${secret[10] === 'A' ? 'B' : 'A'}${secret.slice(11)}`

/** Webhook requests as each provider sends them. */
const SEND = {
  github: (secret: string, body = PUSH) => ({
    body,
    headers: {
      ...JSON_TYPE,
      'user-agent': 'GitHub-Hookshot/0000000',
      'x-github-event': 'push',
      'x-github-delivery': newId(),
      'x-hub-signature': 'sha1=0000000000000000000000000000000000000000',
      'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
    },
  }),
  gitlab: (secret: string, body = GITLAB_PUSH) => ({
    body,
    headers: {
      ...JSON_TYPE,
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-event-uuid': newId(),
      'x-gitlab-token': secret,
    },
  }),
  'gitlab, signed': (secret: string, body = GITLAB_PUSH) => {
    const id = newId()
    return {
      body,
      headers: {
        ...JSON_TYPE,
        'x-gitlab-event': 'Push Hook',
        'idempotency-key': id,
        ...signWebhook(secret, { id, body, nowMs: NOW }),
      },
    }
  },
  gitea: (secret: string, body = PUSH) => ({ body, headers: giteaHeaders(secret, body) }),
  forgejo: (secret: string, body = PUSH) => ({
    body,
    headers: {
      ...giteaHeaders(secret, body),
      'x-forgejo-event': 'push',
      'x-forgejo-delivery': newId(),
      'x-forgejo-signature': hmac(secret, body),
    },
  }),
  git: (secret: string, body = '{"from":"cron"}') => ({
    body,
    headers: { ...JSON_TYPE, ...signWebhook(secret, { id: newId(), body, nowMs: NOW }) },
  }),
  bitbucket: (
    secret: string,
    body = JSON.stringify({
      push: { changes: [{ new: { type: 'branch', name: 'main', target: { hash: '2' } } }] },
    }),
  ) => ({
    body,
    headers: {
      ...JSON_TYPE,
      'x-event-key': 'repo:push',
      'x-request-uuid': newId(),
      'x-hub-signature': `sha256=${hmac(secret, body)}`,
    },
  }),
} satisfies Record<string, (secret: string, body?: string) => Sent>

/** Creates Gitea's headers, which include those of GitHub. */
function giteaHeaders(secret: string, body: string): Headers {
  const id = newId()
  return {
    ...JSON_TYPE,
    'x-gitea-event': 'push',
    'x-gitea-delivery': id,
    'x-gitea-signature': hmac(secret, body),
    'x-gogs-signature': hmac(secret, body),
    'x-github-event': 'push',
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
  }
}

const providerOf = (name: string) =>
  ({ 'gitlab, signed': 'gitlab', forgejo: 'gitea', bitbucket: 'git' })[name] ?? name

async function post(url: string, { headers, body }: Sent) {
  const reply = await readResponse(await fetch(url, { method: 'POST', headers, body }))
  return { status: reply.status, body: JSON.parse(reply.body) }
}

const rowsOf = (project: ConnectedProject) =>
  service.owner.query<Record<string, unknown>>(
    'select * from webhook_delivery where project_id = $1 order by id',
    [project.id],
  )
const lastRow = async (project: ConnectedProject) => (await rowsOf(project)).at(-1)
const checksOf = (project: ConnectedProject) =>
  service.owner.query(`select from jobs.job where name = 'check' and data ->> 'projectId' = $1`, [
    project.id,
  ])

describe.each(Object.keys(SEND) as (keyof typeof SEND)[])('webhooks of %s', (name) => {
  const sent: (secret: string, body?: string) => Sent = SEND[name]

  test('a webhook is accepted, stored once, and queues one check', async () => {
    const project = await connect(providerOf(name))
    const request = sent(project.secret)
    expect(await post(project.hookUrl, request)).toEqual({
      status: 202,
      body: { result: 'accepted' },
    })
    expect(await post(project.hookUrl, sent(project.secret))).toMatchObject({ status: 202 })
    const [row] = await rowsOf(project)
    expect(row).toMatchObject({ status: 202, reason: null, ref: name === 'git' ? null : 'main' })
    expect(row?.delivery_id).toMatch(/^delivery-/)
    // Both webhooks share one queued check.
    expect(await checksOf(project)).toHaveLength(1)
    // A repeated delivery is recognized by its id: it is not stored again and queues no check.
    expect(await post(project.hookUrl, request)).toEqual({
      status: 202,
      body: { result: 'duplicate' },
    })
    expect(await rowsOf(project)).toHaveLength(2)
    const kept = JSON.stringify(await rowsOf(project))
    expect(kept).not.toContain(project.secret)
    expect(kept).not.toContain(hmac(project.secret, request.body))
  })

  test('a webhook with a wrong secret, no signature or a changed body is rejected and stored', async () => {
    const project = await connect(providerOf(name))
    const right = sent(project.secret)
    const proofs = /signature|token/
    const bare = Object.entries(right.headers).filter(([header]) => !proofs.test(header))
    const wrong: Sent[] = [
      sent(otherSecret(project.secret)),
      { ...right, headers: Object.fromEntries(bare) },
      // GitLab's token does not depend on the body, so a changed body is not noticed.
      ...(name === 'gitlab'
        ? []
        : [
            { ...right, body: JSON.stringify(JSON.parse(right.body), null, 1) },
            { ...right, body: right.body.slice(0, -1) },
            { ...right, body: '' },
          ]),
    ]
    for (const [index, request] of wrong.entries()) {
      const reply = await post(project.hookUrl, request)
      expect([index, reply.status, reply.body.code]).toEqual([index, 401, 'invalid-signature'])
      expect(await lastRow(project)).toMatchObject({ status: 401, reason: reply.body.detail })
    }
    expect(await rowsOf(project)).toHaveLength(wrong.length)
    expect(await checksOf(project)).toEqual([])
  })

  test('a webhook signed for another project is rejected', async () => {
    const [own, other] = [await connect(providerOf(name)), await connect(providerOf(name))]
    expect((await post(other.hookUrl, sent(own.secret))).status).toBe(401)
    expect(await rowsOf(own)).toEqual([])
    expect(await rowsOf(other)).toHaveLength(1)
    // Another project has received this delivery id, but it is new for this project.
    const request = sent(own.secret)
    const id = Object.entries(request.headers).find(([, value]) => value.startsWith('delivery-'))
    expect((await post(own.hookUrl, request)).body.result).toBe('accepted')
    const again = sent(other.secret)
    if (name !== 'git' && name !== 'gitlab, signed' && id !== undefined)
      again.headers[id[0]] = id[1]
    expect((await post(other.hookUrl, again)).body.result).toBe('accepted')
  })

  test('a form-encoded webhook is rejected with a hint', async () => {
    const project = await connect(providerOf(name))
    const right = sent(project.secret, `payload=${encodeURIComponent(PUSH)}`)
    const headers = { ...right.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await post(project.hookUrl, { ...right, headers })
    expect(reply).toMatchObject({ status: 400, body: { param: 'Content-Type' } })
    expect(await lastRow(project)).toMatchObject({ status: 400, reason: reply.body.detail })
  })

  test('a signed webhook that is not JSON is rejected', async () => {
    const project = await connect(providerOf(name))
    for (const body of ['{"ref":', '"text"', 'null', '\u0000'])
      expect((await post(project.hookUrl, sent(project.secret, body))).status).toBe(400)
    expect(await checksOf(project)).toEqual([])
  })
})

describe('webhooks of GitHub', () => {
  test('a delivery with only a SHA-1 signature is rejected', async () => {
    const { hookUrl, secret } = projectOf('github')
    const { body, headers } = SEND.github(secret)
    const { 'x-hub-signature-256': _, ...rest } = headers
    const sha1 = createHmac('sha1', secret).update(body).digest('hex')
    const reply = await post(hookUrl, {
      body,
      headers: { ...rest, 'x-hub-signature': `sha1=${sha1}` },
    })
    expect(reply).toMatchObject({ status: 401, body: { detail: expect.stringContaining('SHA-1') } })
  })

  test.each(['', 'sha256=', 'SHA256=', 'sha1='])(
    'a signature with the prefix "%s" is accepted only if the prefix is sha256=',
    async (prefix) => {
      const { hookUrl, secret } = projectOf('github')
      const { body, headers } = SEND.github(secret)
      const value = `${prefix}${hmac(secret, body)}`
      const reply = await post(hookUrl, {
        body,
        headers: { ...headers, 'x-hub-signature-256': value },
      })
      expect(reply.status).toBe(prefix === 'sha256=' ? 202 : 401)
    },
  )

  test('a Gitea webhook for a GitHub connection is rejected with a hint', async () => {
    const { hookUrl, secret } = projectOf('github')
    const reply = await post(hookUrl, SEND.gitea(secret))
    expect(reply).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('--provider gitea') },
    })
  })

  test('a ping and irrelevant events are stored but queue no check', async () => {
    const project = await connect('github')
    for (const event of ['ping', 'issues', 'star']) {
      const { body, headers } = SEND.github(project.secret, '{"zen":"…"}')
      const reply = await post(project.hookUrl, {
        body,
        headers: { ...headers, 'x-github-event': event },
      })
      expect(reply.status).toBe(202)
    }
    expect(await checksOf(project)).toEqual([])
    expect(await rowsOf(project)).toHaveLength(3)
  })
})

describe('webhooks of Gitea and Forgejo', () => {
  test('a wrong Gitea signature is rejected despite a valid GitHub signature', async () => {
    const { hookUrl, secret } = projectOf('gitea')
    const { body, headers } = SEND.gitea(secret)
    const bad = { ...headers, 'x-gitea-signature': hmac('other', body) }
    expect((await post(hookUrl, { body, headers: bad })).status).toBe(401)
    const { 'x-gitea-signature': _, ...missing } = headers
    expect((await post(hookUrl, { body, headers: missing })).status).toBe(401)
  })

  test('a wrong Forgejo signature is rejected despite a valid Gitea signature', async () => {
    const { hookUrl, secret } = projectOf('gitea')
    const { body, headers } = SEND.forgejo(secret)
    const bad = { ...headers, 'x-forgejo-signature': hmac('other', body) }
    expect((await post(hookUrl, { body, headers: bad })).status).toBe(401)
    const { 'x-forgejo-signature': _, ...older } = headers
    expect((await post(hookUrl, { body, headers: older })).status).toBe(202)
  })
})

describe('Standard Webhooks', () => {
  const sign = (secret: string, id: string, seconds: number, body = '{}'): Sent => ({
    body,
    headers: {
      ...JSON_TYPE,
      ...signWebhook(secret, { id, body, nowMs: NOW + seconds * 1_000 }),
    },
  })

  test.each([
    [-301, 401],
    [-300, 202],
    [300, 202],
    [301, 401],
  ])('a delivery with a timestamp %i seconds from now gets status %i', async (seconds, status) => {
    for (const provider of ['git', 'gitlab']) {
      const { hookUrl, secret } = projectOf(provider)
      expect((await post(hookUrl, sign(secret, newId(), seconds))).status).toBe(status)
    }
  })

  test('one valid signature of two is enough, but its version has to be v1', async () => {
    const { hookUrl, secret } = projectOf('git')
    const right = sign(secret, newId(), 0)
    const good = right.headers['webhook-signature'] ?? ''
    const other = `v1,${createHash('sha256').update('x').digest('base64')}`
    const send = (value: string, id = newId()) => {
      const again = sign(secret, id, 0)
      const own = again.headers['webhook-signature'] ?? ''
      const text = value.replace('GOOD', own)
      return post(hookUrl, { ...again, headers: { ...again.headers, 'webhook-signature': text } })
    }
    expect(good).toMatch(/^v1,/)
    expect((await send(`${other} GOOD`)).status).toBe(202)
    expect((await send(`GOOD ${other}`)).status).toBe(202)
    expect((await send(`${other} ${other}`)).status).toBe(401)
    expect((await send(`v1a,${good.slice(3)}`)).status).toBe(401)
    expect((await send('')).status).toBe(401)
  })

  test('a changed webhook id or timestamp makes the signature invalid', async () => {
    const { hookUrl, secret } = projectOf('git')
    const { body, headers } = sign(secret, newId(), 0)
    const later = String(NOW / 1_000 + 1)
    for (const changed of [{ 'webhook-id': newId() }, { 'webhook-timestamp': later }])
      expect((await post(hookUrl, { body, headers: { ...headers, ...changed } })).status).toBe(401)
  })

  test('a wrong GitLab signature is rejected despite a valid token', async () => {
    const { hookUrl, secret } = projectOf('gitlab')
    const signed = SEND['gitlab, signed'](secret)
    const headers = {
      ...signed.headers,
      'x-gitlab-token': secret,
      'webhook-signature': `v1,${createHash('sha256').update('x').digest('base64')}`,
    }
    expect((await post(hookUrl, { ...signed, headers })).status).toBe(401)
  })
})

describe('webhook addresses', () => {
  test('all unknown webhook addresses return the same 404', async () => {
    const { secret } = projectOf('github')
    const request = SEND.github(secret)
    const bodies = new Set<string>()
    for (const id of ['x', 'A'.repeat(24), 'z'.repeat(64), '%00', "'; drop table connection"])
      for (const headers of [request.headers, {}]) {
        const { status, body } = await post(`${service.url}/v1/hooks/${encodeURI(id)}`, {
          body: request.body,
          headers,
        })
        expect(status).toBe(404)
        bodies.add(JSON.stringify({ ...body, requestId: '' }))
      }
    expect(bodies.size).toBe(1)
  })

  test('a webhook address accepts bodies up to 25 MiB', async () => {
    const project = await connect('github')
    const fill = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    const most = SEND.github(project.secret, fill(HOOK_BYTES_MAX))
    expect(most.body).toHaveLength(HOOK_BYTES_MAX)
    expect((await post(project.hookUrl, most)).status).toBe(202)
    const more = SEND.github(project.secret, fill(HOOK_BYTES_MAX + 1))
    expect((await post(project.hookUrl, more).catch(() => ({ status: 413 }))).status).toBe(413)
    const [row] = await rowsOf(project)
    expect(String(row?.body).length).toBeLessThanOrEqual(10_000)
  })

  test('at most thirty rejected webhooks per hour are stored', async () => {
    const project = await connect('github')
    const request = SEND.github('wrong')
    for (let count = 0; count < 35; count += 1)
      expect((await post(project.hookUrl, request)).status).toBe(401)
    expect(await rowsOf(project)).toHaveLength(30)
    expect((await post(project.hookUrl, SEND.github(project.secret))).status).toBe(202)
  })

  test('a webhook address stops working once its connection is removed', async () => {
    const project = await connect('github')
    await octavo(service, ['connection', 'remove', project.publicId])
    const reply = await post(project.hookUrl, SEND.github(project.secret))
    expect(reply.status).toBe(404)
  })

  test('control characters and secrets in a rejected webhook are not stored', async () => {
    const project = await connect('github')
    const { headers } = SEND.github('wrong')
    const response = await fetch(project.hookUrl, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: 'Bearer canary',
        cookie: 'canary',
        'x-gitlab-token': 'canary',
      },
      body: new Uint8Array([0, 255, 27, 91, 0xed, 0xa0, 0x80]),
    })
    expect(response.status).toBe(401)
    const row = JSON.stringify(await lastRow(project))
    expect(row).not.toContain('canary')
    expect(row).not.toMatch(/\\u0000|\\u001b/)
  })

  test('a read-only service rejects webhooks and stores none', async () => {
    const readOnly = await startTestService({ secretKeys: SECRET_KEYS, isReadOnly: true })
    try {
      const project = await connectProject(readOnly, ['--url', 'https://github.com/o/n'])
      const reply = await post(project.hookUrl, SEND.github('wrong'))
      expect(reply.status).toBe(503)
      expect(await readOnly.owner.query('select from webhook_delivery')).toEqual([])
    } finally {
      await readOnly.stop()
    }
  })
})

test('the command `connection deliveries` lists all webhooks, with the reason of each rejection', async () => {
  const project = await connect('github')
  const list = () => octavo(service, ['connection', 'deliveries', project.publicId])
  expect(await list()).toEqual(['No webhook has been received yet.'])
  await post(project.hookUrl, SEND.github(project.secret))
  await post(project.hookUrl, SEND.github('wrong'))
  expect(await list()).toEqual([
    expect.stringMatching(/^\S+ {2}401 {2}push {2}- {2}-$/),
    expect.stringContaining('The signature does not match.'),
    expect.stringMatching(/^\S+ {2}202 {2}push {2}main {2}delivery-\d+$/),
  ])
})

test('webhook secrets and webhook addresses are not logged', () => {
  const log = service.log.join('')
  for (const { secret, hookUrl } of Object.values(projects)) {
    expect(log).not.toContain(secret)
    expect(log).not.toContain(hookUrl.split('/').at(-1))
  }
})
