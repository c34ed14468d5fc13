/** Tests notifications with a real SMTP server and a real webhook server on loopback. */

import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LEASE, newTurn, publishedAnswer } from '../../../testing/fill-assistant.ts'
import { startHostServer } from '../../../testing/git-hosts/host-server.ts'
import { startMailServer } from '../../../testing/mail-server.ts'
import { commitOf, createTestBuilds } from '../../../testing/test-builds.ts'
import { createPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { AssistantSettingsStore, NO_SETTINGS } from '../../answers/assistant/settings-store.ts'
import { TurnStore } from '../../answers/assistant/turn-store.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { NO_SIGN_IN } from '../../people/sign-in-settings.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { queueNotices } from './queue-notices.ts'
import { NoticeStore } from './store.ts'

const POLL = { interval: 25, timeout: 20_000 }
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const URL_OF_DASHBOARD = 'https://octavo.example.com'
const secretKeys = [{ id: 'k', bytes: Buffer.alloc(32, 1) }]
const receiver = await startHostServer(() => ({ status: 204 }))
const mails = await startMailServer()
const service = await start(mails.url)
const queue = createRounds(service)
/** This project is created before the worker starts, so that the worker's first round finds it. */
const early = await newProject()
await addKey(early, { name: 'Early' })

beforeAll(async () => {
  await service.service.startWorker()
})
afterAll(async () => {
  await queue.stop()
  await service.stop()
  await mails.stop()
  receiver.stop()
})

function start(smtpUrl: string | undefined): Promise<TestService> {
  const mail = smtpUrl === undefined ? undefined : { smtpUrl, from: 'octavo@example.com' }
  return startTestService({
    url: URL_OF_DASHBOARD,
    allowPrivateHosts: ['127.0.0.1'],
    secretKeys,
    signIn: { ...NO_SIGN_IN, mail },
  })
}

/** Returns `round`, which queues due notifications on demand, and `stop`. */
function createRounds({ service: { database }, log: lines }: TestService) {
  const log = createLog((line) => lines.push(line), Date.now)
  const jobSender = createJobSender({ database, log })
  const none = { tokensPerDay: undefined, tokensPerMonth: undefined }
  return {
    round: (budget: Partial<typeof NO_SETTINGS> = {}) =>
      queueNotices({ database, jobSender, budget: { ...none, ...budget }, log }),
    stop: () => jobSender.stop(),
  }
}

async function newProject(at: TestService = service, webhook?: string) {
  const project = await at.createProject(SCOPES)
  if (webhook !== undefined)
    await runCommand(['project', 'set', project.publicId, '--webhook', receiver.url + webhook], {
      settings: at.settings,
      print: () => {},
      now: Date.now,
    })
  const { email } = await createPerson(at, project, 'owner')
  const bound = at.service.database.forProject(project.tenant)
  return {
    ...project,
    email,
    store: new NoticeStore(bound),
    builds: createTestBuilds(at, project, secretKeys),
    turns: new TurnStore(bound),
    assistant: new AssistantSettingsStore(bound),
    hooks: () => receiver.requests.filter(({ path }) => path === webhook),
  }
}

const failed = { state: 'failed', reason: 'The disk is full', finished_at: new Date() } as const

type Key = { name?: string; expiresInMs?: number; createdAgoMs?: number; isRevoked?: boolean }

async function addKey({ id }: Pick<TestProject, 'id'>, key: Key = {}): Promise<void> {
  const { name = 'Export', expiresInMs = 3 * DAY_MS, createdAgoMs = 30 * DAY_MS } = key
  await service.owner.query(
    `insert into api_key (project_id, kind, token_hash, last_four, name, scopes, pepper_id, created_at, expires_at, revoked_at)
     values ($1, 'deploy', $2, 'mh17', $3, '{}', 'x', $4, $5, $6)`,
    [
      id,
      Buffer.from(`${id} ${Math.random()}`),
      name,
      new Date(Date.now() - createdAgoMs),
      new Date(Date.now() + expiresInMs),
      key.isRevoked === true ? new Date() : null,
    ],
  )
}

const mailsTo = (address: string) => mails.received.filter(({ to }) => to === address)

/** Returns the notifications of a project once all of them are delivered. */
async function delivered({ id }: Pick<TestProject, 'id'>, at: TestService = service) {
  return vi.waitFor(async () => {
    const rows = await at.owner.query<{ kind: string; subject: string; delivered_at: Date | null }>(
      'select kind, subject, delivered_at, mail_count, is_webhook_sent from notice where project_id = $1 order by at, kind, subject',
      [id],
    )
    expect(rows.every((row) => row.delivered_at !== null)).toBe(true)
    return rows
  }, POLL)
}

test('the worker finds and sends due notifications automatically', async () => {
  const [mail] = await vi.waitFor(() => {
    expect(mailsTo(early.email)).toHaveLength(1)
    return mailsTo(early.email)
  }, POLL)
  expect(mail?.subject).toMatch(/^Test: The API key "Early" expires on \d{4}-\d\d-\d\d$/)
})

describe('notifications about failed builds', () => {
  test('a failed production build is mailed once, only to owners and admins', async () => {
    const project = await newProject(service, '/builds')
    const other = await newProject()
    const admin = await createPerson(service, project, 'admin', 'project')
    const left = await createPerson(service, project, 'owner')
    await service.owner.query('update app_user set disabled_at = now() where id = $1', [left.id])
    const silent = [
      left,
      await createPerson(service, project, 'editor'),
      await createPerson(service, project, 'viewer', 'project'),
    ]
    const commit = commitOf('failed')
    const build = await project.builds.add({ ...failed, commit })
    await project.builds.add({ ...failed, target: 'preview' })
    await project.builds.add({ state: 'cancelled', finished_at: new Date() })
    await project.builds.add({ ...failed, finished_at: new Date(Date.now() - DAY_MS - MINUTE_MS) })
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toMatchObject([
      { kind: 'build.failed', subject: build, mail_count: 2 },
    ])
    expect(mailsTo(project.email)).toHaveLength(1)
    expect(mailsTo(admin.email)).toHaveLength(1)
    for (const { email } of [...silent, other]) expect(mailsTo(email)).toEqual([])
    const [mail] = mailsTo(project.email)
    const short = commit.slice(0, 7)
    expect(mail?.subject).toBe(`Test: The build of main (${short}) failed`)
    expect(mail?.text.replaceAll('\r\n', '\n')).toBe(`Project: Test

The production build of main (${short}) failed:
Failed: The disk is full

Readers still see the previous version. Open the build to see its log and all problems, then push a fix or build again.

${URL_OF_DASHBOARD}/projects/${project.publicId}/builds/${build}

--
You receive this email because you are an owner or admin of Test on Octavo.
To unsubscribe, turn off email for this kind of notification:
${URL_OF_DASHBOARD}/projects/${project.publicId}/notifications
`)
    // There is no webhook message, since the build job calls the webhook.
    expect(project.hooks()).toEqual([])
    expect(await queue.round()).toBe(0)
    await project.builds.add(failed)
    expect(await queue.round()).toBe(1)
    await delivered(project)
    expect(mailsTo(project.email)).toHaveLength(2)
  })
})

describe("notifications about the assistant's budget", () => {
  const begin = async ({ turns }: Awaited<ReturnType<typeof newProject>>, more: object) => {
    const begun = await turns.begin(newTurn('Why?', more))
    if (begun.kind !== 'begun') throw new Error('the question was refused')
    return { id: begun.id, lease: LEASE }
  }
  const ask = async (
    project: Awaited<ReturnType<typeof newProject>>,
    more: object,
    usedTokens = 1,
  ) => {
    await project.turns.publish(await begin(project, { tokens: usedTokens, ...more }), {
      ...publishedAnswer('So.'),
      usedTokens,
    })
  }

  test('owners are notified at 80 % of the budget, once per day and once per month', async () => {
    const project = await newProject(service, '/budget')
    const budget = { tokensPerDay: 1_000, tokensPerMonth: 2_000 }
    await project.assistant.write({ ...NO_SETTINGS, ...budget })
    await ask(project, budget, 799)
    expect(await queue.round()).toBe(0)
    await ask(project, budget, 1)
    expect(await queue.round()).toBe(1)
    const day = new Date().toISOString().slice(0, 10)
    expect(await delivered(project)).toMatchObject([{ kind: 'assistant.budget', subject: day }])
    await ask(project, budget, 10)
    expect(await queue.round()).toBe(0)
    await ask(project, budget, 790)
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(2)
    await ask(project, budget, 1)
    expect(await queue.round()).toBe(0)
    const [first, second] = mailsTo(project.email)
    expect(first?.subject).toBe(`Test: The assistant has used 80 % of its tokens for ${day}`)
    expect(first?.text).toContain('800 of 1,000 tokens')
    expect(second?.subject).toContain(`for ${day.slice(0, 7)}`)
    expect(second?.links[0]).toBe(`${URL_OF_DASHBOARD}/projects/${project.publicId}/assistant`)
    expect(project.hooks().map(({ body }) => body)).toMatchObject([
      { type: 'assistant.budget', data: { period: 'day', of: day, used: 800, max: 1_000 } },
      { data: { projectId: project.publicId, period: 'month', used: 1_600, max: 2_000 } },
    ])
    // Simulate another day.
    await service.owner.query(
      `update notice set subject = '2000-01-01' where project_id = $1 and subject = $2`,
      [project.id, day],
    )
    await ask(project, budget)
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(3)
  })

  test("the service's budget applies to projects without their own, and a zero budget is not reported", async () => {
    const [project, own, free] = [await newProject(), await newProject(), await newProject()]
    const service80 = { tokensPerDay: 100 }
    await own.assistant.write({ ...NO_SETTINGS, tokensPerDay: 1_000 })
    await ask(project, service80, 80)
    await ask(own, { tokensPerDay: 1_000 }, 80)
    await free.assistant.write({ ...NO_SETTINGS, tokensPerDay: 0 })
    await ask(free, { tokensPerDay: 0 }, 80)
    for (const one of [project, own, free]) await ask(one, service80)
    expect(await queue.round(service80)).toBe(1)
    expect(await delivered(project)).toHaveLength(1)
    for (const one of [own, free]) expect(await delivered(one)).toEqual([])
  })

  test('the budget notification waits for answers in progress', async () => {
    const project = await newProject()
    const budget = { tokensPerDay: 1_000 }
    await project.assistant.write({ ...NO_SETTINGS, ...budget })
    const turn = await begin(project, { ...budget, tokens: 900 })
    expect(await queue.round()).toBe(0)
    expect(await project.store.hasBudgetWork()).toBe(true)
    await project.turns.publish(turn, { ...publishedAnswer('So.'), usedTokens: 900 })
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(1)
    expect(await project.store.hasBudgetWork()).toBe(false)
    const small = await begin(project, { ...budget, tokens: 10 })
    await project.turns.publish(small, publishedAnswer('So.'))
    expect(await project.store.hasBudgetWork()).toBe(false)
  })
})

describe('notifications about custom domains', () => {
  const claim = (project: Pick<TestProject, 'id'>, values: string) =>
    service.owner.query(
      `insert into domain_claim (project_id, name, token, state, missing_since, ended_at)
       values ($1::bigint, 'docs.n' || $1::bigint || '.example.com', repeat('0', 32), ${values})`,
      [project.id],
    )

  test("owners are notified when a domain's record is missing for a day, lapses or is lost", async () => {
    const project = await newProject(service, '/domains')
    const name = `docs.n${project.id}.example.com`
    await claim(project, `'active', now() - interval '26 hours', null`)
    expect(await queue.round()).toBe(1)
    expect(await queue.round()).toBe(0)
    await delivered(project)
    const change = (values: string) =>
      service.owner.query(`update domain_claim set ${values} where project_id = $1`, [project.id])
    await change(`state = 'lapsed', ended_at = now()`)
    expect(await queue.round()).toBe(1)
    await delivered(project)
    await change(`state = 'lost', ended_at = now()`)
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(3)
    const until = new Date(Date.now() + (7 * 24 - 26) * 3_600_000).toISOString().slice(0, 10)
    // Long subjects contain line breaks.
    const subjects = mailsTo(project.email).map(({ subject }) => subject.replaceAll(/\s+/g, ' '))
    expect(subjects).toEqual([
      `Test: The domain ${name} will be lost on ${until}`,
      `Test: The site is no longer served at ${name}`,
      `Test: Another organization now owns the domain ${name}`,
    ])
    expect(mailsTo(project.email)[0]?.text).toContain(`_octavo-challenge.${name}`)
    expect(mailsTo(project.email)[0]?.links[0]).toBe(
      `${URL_OF_DASHBOARD}/projects/${project.publicId}/domains`,
    )
    expect(project.hooks().map(({ body }) => body)).toMatchObject([
      { type: 'domain.lost', data: { domain: name, state: 'missing' } },
      { data: { state: 'lapsed', servedUntil: null } },
      { data: { state: 'lost' } },
    ])
  })

  test.each([
    ['is served', `'active', null, null`],
    ['has missed its record for less than a day', `'active', now() - interval '24 hours', null`],
    ['was never proven', `'waiting', null, null`],
    ['was removed', `'removed', null, now()`],
    ['lapsed long ago', `'lapsed', now() - interval '9 days', now() - interval '25 hours'`],
  ])('owners are not notified if a domain %s', async (_, values) => {
    const project = await newProject()
    await claim(project, values)
    expect(await queue.round()).toBe(0)
  })
})

describe('notifications about expiring API keys', () => {
  test('owners are notified 7 days before a key expires, once per expiry', async () => {
    const project = await newProject(service, '/keys')
    await addKey(project, { name: 'Soon', expiresInMs: 7 * DAY_MS - MINUTE_MS })
    await addKey(project, { name: 'Later', expiresInMs: 7 * DAY_MS + MINUTE_MS })
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(1)
    expect(await queue.round()).toBe(0)
    const [mail] = mailsTo(project.email)
    expect(mail?.subject).toContain('"Soon"')
    expect(mail?.text).toContain('(ending in mh17)')
    expect(mail?.links[0]).toBe(`${URL_OF_DASHBOARD}/projects/${project.publicId}/keys`)
    const [hook] = project.hooks()
    expect(hook?.body).toMatchObject({
      type: 'key.expiring',
      data: {
        projectId: project.publicId,
        summary: expect.stringMatching(/^The API key "Soon" expires on /),
        name: 'Soon',
        lastFour: 'mh17',
      },
    })
    expect(hook?.headers['webhook-signature']).toMatch(/^v1,/)
    await service.owner.query(
      `update api_key set expires_at = expires_at - interval '1 day' where project_id = $1 and name = 'Soon'`,
      [project.id],
    )
    expect(await queue.round()).toBe(1)
    expect(await delivered(project)).toHaveLength(2)
    expect(mailsTo(project.email)).toHaveLength(2)
    expect(project.hooks()).toHaveLength(2)
  })

  test.each<[string, Key]>([
    ['has expired', { expiresInMs: -MINUTE_MS }],
    ['was revoked', { isRevoked: true }],
    ['is the token of a CI job', { expiresInMs: 30 * MINUTE_MS, createdAgoMs: 30 * MINUTE_MS }],
    ['was created with a lifetime of 7 days', { expiresInMs: 6 * DAY_MS, createdAgoMs: DAY_MS }],
  ])('owners are not notified if a key %s', async (_, key) => {
    const project = await newProject()
    await addKey(project, key)
    expect(await queue.round()).toBe(0)
    expect(await delivered(project)).toEqual([])
  })

  test.each([`suspended_reason = 'x'`, 'archived_at = now()', 'deleted_at = now()'])(
    'owners of a project with %s are not notified',
    async (change) => {
      const project = await newProject()
      await addKey(project)
      await service.owner.query(`update project set ${change} where id = $1`, [project.id])
      expect(await queue.round()).toBe(0)
    },
  )

  test('names with line breaks, headers or links are escaped in the mail', async () => {
    const project = await newProject()
    const hostile = 'a\r\nBcc: thief@example.com\r\n\r\nhttps://evil.example/ \u2028b\u202e"c"'
    await service.owner.query('update project set name = $2 where id = $1', [project.id, hostile])
    await addKey(project, { name: `${hostile}${'x'.repeat(500)}` })
    await queue.round()
    await delivered(project)
    const [mail] = mailsTo(project.email)
    const [head = ''] = mail?.raw.split('\r\n\r\n') ?? []
    expect(head).not.toMatch(/^bcc/im)
    expect(head).toMatch(/^auto-submitted: auto-generated$/im)
    expect(mailsTo('thief@example.com')).toEqual([])
    expect(mail?.text).not.toMatch(/^Bcc|\u2028|\u202e|https:\/\/evil/m)
    expect(mail?.links.every((link) => link.startsWith(URL_OF_DASHBOARD))).toBe(true)
    const reply = await project.store.sent()
    expect(JSON.stringify(reply)).toContain('evil')
  })
})

describe('recipients of notifications', () => {
  test('each additional address gets one mail, which explains why it is a recipient', async () => {
    const project = await newProject()
    const addresses = ['team@example.org', project.email, 'gone@example.org', 'last@example.org']
    await project.store.change({ addresses }, { actor: 'test' })
    await addKey(project)
    await queue.round()
    expect(await delivered(project)).toMatchObject([{ mail_count: 3 }])
    expect(mailsTo(project.email)).toHaveLength(1)
    expect(mailsTo('last@example.org')).toHaveLength(1)
    expect(mailsTo('team@example.org')[0]?.text).toContain('on the notification list of Test')
    expect(service.log.some((line) => line.includes('refused the address of a notice'))).toBe(true)
    // Addresses are deleted once the mail is sent.
    const [row] = await service.owner.query<{ mailed: string[] }>(
      'select mailed from notice where project_id = $1',
      [project.id],
    )
    expect(row?.mailed).toEqual([])
  })

  test('a notification kind with e-mail turned off only calls the webhook', async () => {
    const project = await newProject(service, '/off')
    await project.store.change({ email: ['build.failed'] }, { actor: 'test' })
    await addKey(project)
    await project.builds.add(failed)
    await queue.round()
    expect(await delivered(project)).toMatchObject([
      { kind: 'build.failed', mail_count: 1 },
      { kind: 'key.expiring', mail_count: 0, is_webhook_sent: true },
    ])
    expect(mailsTo(project.email)).toHaveLength(1)
    expect(project.hooks()).toHaveLength(1)
  })

  test('without a mail server, only the webhook is called', async () => {
    const quiet = await start(undefined)
    const rounds = createRounds(quiet)
    try {
      await quiet.service.startWorker()
      const project = await newProject(quiet, '/quiet')
      const silent = await newProject(quiet)
      for (const one of [project, silent]) await one.builds.add(failed)
      await quiet.owner.query(
        `update api_key set created_at = now() - interval '30 days', expires_at = now() + interval '1 day'
          where project_id = $1`,
        [project.id],
      )
      await rounds.round()
      expect(await delivered(project, quiet)).toHaveLength(2)
      expect(project.hooks().map(({ body }) => body.type)).toEqual(['key.expiring'])
      expect(await delivered(silent, quiet)).toMatchObject([
        { mail_count: 0, is_webhook_sent: false },
      ])
      expect(await silent.store.sent()).toEqual([])
    } finally {
      await rounds.stop()
      await quiet.stop()
    }
  })
})

describe('failing deliveries', () => {
  test('notification mail is retried while the mail server is down, without calling the webhook twice', async () => {
    const flaky = await startMailServer()
    const own = await start(flaky.url)
    const rounds = createRounds(own)
    await flaky.stop()
    try {
      await own.service.startWorker()
      const project = await newProject(own, '/flaky')
      await own.owner.query(
        `update api_key set created_at = now() - interval '30 days', expires_at = now() + interval '1 day'`,
        [],
      )
      await rounds.round()
      const retried = () => own.log.filter((line) => line.includes('a job failed'))
      await vi.waitFor(() => expect(retried().length).toBeGreaterThan(0), POLL)
      expect(await rounds.round()).toBe(0)
      const again = await startMailServer(Number(new URL(flaky.url).port))
      await again.next(project.email)
      await delivered(project, own)
      expect(again.received).toEqual([])
      expect(project.hooks()).toHaveLength(1)
      await again.stop()
    } finally {
      await rounds.stop()
      await own.stop()
    }
  })

  test('a failing notification webhook is retried with the same id, and mail is not delayed', async () => {
    const project = await newProject(service, '/down')
    receiver.plan({ when: ({ path }) => path === '/down', status: 500 })
    await addKey(project)
    await queue.round()
    await delivered(project)
    expect(mailsTo(project.email)).toHaveLength(1)
    expect(project.hooks()).toHaveLength(2)
    expect(new Set(project.hooks().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('a lost notification job is queued again', async () => {
    const project = await newProject()
    await project.store.insert('key.expiring', {
      subject: 'lost',
      facts: { keyId: '1', name: 'Lost', lastFour: 'abcd', expiresAt: '2030-01-01T00:00:00.000Z' },
    })
    expect(await queue.round()).toBe(1)
    await delivered(project)
    expect(mailsTo(project.email)).toHaveLength(1)
  })
})

test('a notification is deleted after 90 days', async () => {
  const project = await newProject()
  await addKey(project)
  await queue.round()
  await delivered(project)
  await service.owner.query(
    `update notice set at = now() - interval '91 days', subject = 'old' where project_id = $1`,
    [project.id],
  )
  await queue.round()
  expect(await delivered(project)).toHaveLength(1)
})
