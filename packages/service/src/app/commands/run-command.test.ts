import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Conversation } from '@octavo/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceUrlOf } from '../../../testing/test-database.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { ROLES } from '../roles/service.ts'
import { ENVIRONMENT_NAMES, type Settings } from '../settings/env.ts'
import { HELP, OVERVIEW } from './help.ts'
import { COMMAND_NAMES, runCommand } from './run-command.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService()
  folder = mkdtempSync(join(tmpdir(), 'octavo-commands-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

const settings = (databaseUrl: string): Settings => ({
  ...service.settings,
  ownerUrl: databaseUrl,
  databaseUrl: serviceUrlOf(databaseUrl),
})

async function octavoOn(databaseUrl: string, ...args: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  await runCommand(args, {
    settings: settings(databaseUrl),
    print: (line) => lines.push(line),
    now: Date.now,
  })
  return lines
}

const octavo = (...args: readonly string[]) => octavoOn(service.databaseUrl, ...args)
const lastLine = async (...args: readonly string[]) => (await octavo(...args)).at(-1) ?? ''
const createProject = () => lastLine('project', 'create', 'Plants')

const statusFor = async (publicId: string, token: string) =>
  (await service.get({ publicId, token })).status

describe('octavo-service migrate', () => {
  test('`migrate` creates the tables, and a second `migrate` changes nothing', async () => {
    const admin = new pg.Client(inject('databaseUrl'))
    await admin.connect()
    const name = `octavo_migrate_${process.pid}_${Date.now()}`
    await admin.query(`create database ${name}`)
    try {
      const url = new URL(inject('databaseUrl'))
      url.pathname = `/${name}`
      const [, ...missing] = await octavoOn(url.href, 'migrate', 'status')
      expect(missing[0]).toBe('missing  migrations/0001-schema.sql')
      const [plan = ''] = await octavoOn(url.href, 'migrate', '--dry-run')
      expect(plan).toMatch(/^Would run migrations\/0001-schema\.sql/)
      expect(await octavoOn(url.href, 'migrate', 'status')).toHaveLength(missing.length + 1)
      expect(await octavoOn(url.href, 'migrate')).toEqual([plan.replace('Would run', 'Ran')])
      const upToDate = ['The database is up to date.']
      expect(await octavoOn(url.href, 'migrate')).toEqual(upToDate)
      expect(await octavoOn(url.href, 'migrate', 'status')).toEqual(upToDate)
      expect((await octavoOn(url.href, 'project', 'create', 'Plants')).at(-1)).toMatch(/^prj_/)
    } finally {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    }
  })
})

describe('octavo-service project', () => {
  test('`project create` prints the id in the last line', async () => {
    expect(await octavo('project', 'create', 'House', 'plants')).toEqual([
      'Created project "House plants". Its id:',
      expect.stringMatching(/^prj_[0-9a-z]{16}$/),
    ])
  })

  test('projects with the same name get different slugs, and a chosen slug must be free', async () => {
    const ids = [await createProject(), await createProject()]
    const rows = await service.owner.query<{ slug: string }>(
      'select slug from project where public_id = any ($1)',
      [ids],
    )
    for (const { slug } of rows) expect(slug).toMatch(/^plants(?:-[0-9a-z]{6})?$/)
    expect(new Set(rows.map(({ slug }) => slug)).size).toBe(2)
    await octavo('project', 'create', 'House', '--project', 'house')
    await expect(octavo('project', 'create', 'House', '--project', 'house')).rejects.toThrow(
      'A project with the slug "house" already exists.',
    )
  })

  test('`project create` needs a name', async () => {
    await expect(octavo('project', 'create')).rejects.toThrow('Missing project name.')
  })
})

describe('octavo-service project set', () => {
  test('`project set --retention` changes the retention and logs both values', async () => {
    const id = await createProject()
    expect(await octavo('project', 'set', id, '--retention', '90')).toEqual([
      `Project ${id} keeps conversations for 90 days (before: 730).`,
    ])
    const [event] = await service.owner.query(
      `select before, after from audit_event where action = 'project.retention' and object = $1`,
      [id],
    )
    expect(event).toEqual({ before: { retentionDays: 730 }, after: { retentionDays: 90 } })
  })

  test.each(['0', '3661', '-1', '1.5', 'year', ''])(
    '`project set --retention` rejects the value %j',
    async (days) => {
      const id = await createProject()
      await expect(octavo('project', 'set', id, `--retention=${days}`)).rejects.toThrow(
        '--retention',
      )
    },
  )
})

describe('octavo-service jobs', () => {
  const insert = async (state: string) => {
    const [row] = await service.owner.query<{ id: string }>(
      `insert into jobs.job (name, state, policy, output) values ('retention', $1::jobs.job_state, 'short', '{"message":"disk full"}') returning id`,
      [state],
    )
    return row?.id ?? ''
  }
  const stateOf = async (id: string) =>
    (await octavo('jobs', 'list', '--state', 'created')).some((line) => line.startsWith(id))

  test('`jobs list` shows jobs that are not completed, with errors, and filters by state', async () => {
    const failed = await insert('failed')
    const completed = await insert('completed')
    const open = (await octavo('jobs', 'list')).join('\n')
    expect(open).toMatch(new RegExp(`^${failed}  retention +failed .*disk full$`, 'm'))
    expect(open).not.toContain(completed)
    expect((await octavo('jobs', 'list', '--state', 'completed')).join('\n')).toContain(completed)
    await expect(octavo('jobs', 'list', '--state', 'lost')).rejects.toThrow(
      '--state must be one of',
    )
  })

  test('`jobs retry` requeues a failed job but not a completed one', async () => {
    const failed = await insert('failed')
    expect(await octavo('jobs', 'retry', failed)).toEqual([`Queued job ${failed} again.`])
    expect((await octavo('jobs', 'list', '--state', 'retry')).join()).toContain(failed)
    const completed = await insert('completed')
    await expect(octavo('jobs', 'retry', completed)).rejects.toThrow('is completed')
    await expect(octavo('jobs', 'retry', 'x')).rejects.toThrow('Job x does not exist')
  })

  test('`jobs cancel` stops a waiting job, which can be retried', async () => {
    const waiting = await insert('created')
    expect(await octavo('jobs', 'cancel', waiting)).toEqual([`Canceled job ${waiting}.`])
    await expect(octavo('jobs', 'cancel', waiting)).rejects.toThrow('is cancelled')
    await octavo('jobs', 'retry', waiting)
    expect(await stateOf(waiting)).toBe(true)
  })
})

describe('octavo-service init', () => {
  const init = async (...more: readonly string[]) =>
    JSON.parse(await lastLine('init', '--project', 'garden', '--json', ...more)) as {
      projectId: string
      adminKey: string | null
    }

  test('`init` creates a project and a working key, and changes nothing when repeated', async () => {
    const first = await init('--organization', 'Gardeners')
    expect(await statusFor(first.projectId, first.adminKey ?? '')).toBe(200)
    const again = await init('--organization', 'Gardeners')
    expect(again).toEqual({ projectId: first.projectId, adminKey: null })
    expect(await octavo('key', 'list', first.projectId)).toHaveLength(1)
  })

  test('`init` rejects the project of another organization', async () => {
    await init('--organization', 'Gardeners')
    await expect(init('--organization', 'Others')).rejects.toThrow('belongs to another')
    await expect(init()).rejects.toThrow('Missing --organization.')
  })
})

describe('octavo-service key', () => {
  test('`key create` prints a working key in the last line', async () => {
    const project = await createProject()
    const key = await lastLine('key', 'create', project)
    expect(key).toMatch(/^octavo_adm_[0-9A-Za-z]{38}$/)
    expect(await statusFor(project, key)).toBe(200)
    expect(await statusFor(await createProject(), key)).toBe(404)
  })

  test('the scopes, networks and expiry of `key create` are enforced', async () => {
    const project = await createProject()
    const create = (...options: readonly string[]) => lastLine('key', 'create', project, ...options)
    expect(await statusFor(project, await create('--scope', 'analytics:write'))).toBe(403)
    expect(await statusFor(project, await create('--from', '10.0.0.0/8'))).toBe(403)
    expect(
      await statusFor(project, await create('--from', '10.0.0.0/8', '--from', '127.0.0.1')),
    ).toBe(200)
    expect(await statusFor(project, await create('--expires', '2999-01-31'))).toBe(200)
  })

  test.each([
    [['--scope', 'analytics:all'], 'Unknown scope "analytics:all". Available: analytics:read,'],
    [['--expires', '2020-01-31'], '--expires is in the past.'],
    [['--expires', 'tomorrow'], 'Invalid --expires: expected a date such as 2027-01-31.'],
    [['--from', 'home'], 'Invalid --from: expected an IP address'],
    [['--from', '10.0.0.1/8'], 'Invalid --from: expected an IP address'],
    [['-o', 'file'], '--output is not an option of key create.'],
  ])('`key create` rejects the options %j and creates no key', async (options, message) => {
    const project = await createProject()
    await expect(octavo('key', 'create', project, ...options)).rejects.toThrow(message)
    expect(await octavo('key', 'list', project)).toEqual(['This project has no keys.'])
  })

  test('`key list` shows keys without their tokens', async () => {
    const project = await createProject()
    const first = await lastLine('key', 'create', project, '--name', 'nightly export')
    const second = await lastLine('key', 'create', project, '--scope', 'analytics:write')
    await octavo('key', 'revoke', project, await idOf(project, second))
    const lines = await octavo('key', 'list', project)
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^\\d+  …${first.slice(-4)}  valid  analytics:read  never used  nightly export$`,
        ),
      ),
      expect.stringMatching(
        new RegExp(`^\\d+  …${second.slice(-4)}  revoked  analytics:write  never used$`),
      ),
    ])
    expect(lines.join()).not.toContain(first)
  })

  test('a revoked key stops working within a second, and other keys continue to work', async () => {
    const project = await createProject()
    const old = await lastLine('key', 'create', project)
    const next = await lastLine('key', 'create', project)
    expect(await statusFor(project, old)).toBe(200)
    await octavo('key', 'revoke', project, await idOf(project, old))
    await expect.poll(() => statusFor(project, old), { timeout: 1_000 }).toBe(401)
    expect(await statusFor(project, next)).toBe(200)
  })

  test.each(['0', 'x', "1' or true", '99999999999999999999'])(
    '`key revoke` rejects the unknown key %s',
    async (id) => {
      const project = await createProject()
      await expect(octavo('key', 'revoke', project, id)).rejects.toThrow(
        'does not exist in this project',
      )
    },
  )

  async function idOf(project: string, token: string): Promise<string> {
    const line = (await octavo('key', 'list', project)).find((one) => one.includes(token.slice(-4)))
    return line?.split(' ')[0] ?? ''
  }
})

describe('octavo-service conversations', () => {
  const path = (name: string) => join(folder, name)
  const rowsOf = (name: string) =>
    readFileSync(path(name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Conversation.parse(JSON.parse(line)))
  /**
   * Returns the rows without ids, which an import replaces. The rows are sorted, since their order
   * within a millisecond is undefined.
   */
  const contentOf = (name: string) =>
    rowsOf(name)
      .map(({ id, ...rest }) => JSON.stringify(rest))
      .sort()

  const row = (number: number, more: Partial<Conversation> = {}): Conversation => ({
    id: `turn-${number}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    query: `Question ${number}?`,
    response: `Answer ${number}.`,
    sources: [],
    resolutionStatus: 'answered',
    ...more,
  })
  const write = (name: string, rows: readonly unknown[]) => {
    writeFileSync(path(name), rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return path(name)
  }

  test('conversations are unchanged after import, export and import into another project', async () => {
    const rich = row(1_200, {
      query: 'lines \n and \u2028 and " and 🌱',
      sources: [{ title: 'Watering', url: '/watering' }],
      resolutionStatus: 'unanswered',
      queryCategory: 'how-to',
      threadId: 'thread',
      pageUrl: '/start',
    })
    const file = write('first.ndjson', [
      ...Array.from({ length: 1_200 }, (_, number) => row(number)),
      rich,
    ])
    const [first, second] = [await createProject(), await createProject()]
    expect(await octavo('conversations', 'import', first, file)).toEqual([
      'Imported 1201 conversations.',
    ])
    expect(await octavo('conversations', 'export', first, '-o', path('a.ndjson'))).toEqual([
      `Exported 1201 conversations to ${path('a.ndjson')}.`,
    ])
    await octavo('conversations', 'import', second, path('a.ndjson'))
    await octavo('conversations', 'export', second, '-o', path('b.ndjson'))
    expect(contentOf('a.ndjson')).toEqual(contentOf('first.ndjson'))
    expect(contentOf('b.ndjson')).toEqual(contentOf('first.ndjson'))
    expect(rowsOf('a.ndjson').map(({ id }) => id)).toEqual(
      rowsOf('a.ndjson')
        .map(({ id }) => id)
        .sort(),
    )
  })

  test('importing the same conversations twice changes nothing', async () => {
    const project = await createProject()
    const file = write('again.ndjson', [row(1), row(2)])
    await octavo('conversations', 'import', project, file)
    await octavo('conversations', 'export', project, '-o', path('before.ndjson'))
    expect(await octavo('conversations', 'import', project, file)).toEqual([
      'Imported 0 conversations. 2 already existed.',
    ])
    await octavo('conversations', 'export', project, '-o', path('after.ndjson'))
    expect(rowsOf('after.ndjson')).toEqual(rowsOf('before.ndjson'))
  })

  test('importing an export into its own project changes nothing', async () => {
    const project = await createProject()
    await octavo('conversations', 'import', project, write('own.ndjson', [row(1), row(2), row(3)]))
    await octavo('conversations', 'export', project, '-o', path('own-out.ndjson'))
    expect(await octavo('conversations', 'import', project, path('own-out.ndjson'))).toEqual([
      'Imported 0 conversations. 3 already existed.',
    ])
  })

  test('new conversations come after the imported history', async () => {
    const project = await createProject()
    await octavo('conversations', 'import', project, write('history.ndjson', [row(1)]))
    const key = await lastLine('key', 'create', project, '--scope', 'analytics:write')
    const { id, timestamp, ...turn } = row(2)
    await fetch(`${service.url}/v1/analytics/${project}/assistant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversations: [{ ...turn, questionId: 'now' }] }),
    })
    await octavo('conversations', 'export', project, '-o', path('both.ndjson'))
    expect(rowsOf('both.ndjson').map(({ query }) => query)).toEqual(['Question 1?', 'Question 2?'])
  })

  test('an import accepts blank lines and a missing newline at the end', async () => {
    const project = await createProject()
    writeFileSync(
      path('loose.ndjson'),
      `\n${JSON.stringify(row(1))}\r\n\n${JSON.stringify(row(2))}`,
    )
    expect(await lastLine('conversations', 'import', project, path('loose.ndjson'))).toBe(
      'Imported 2 conversations.',
    )
  })

  test.each([
    ['{"id":', 'line 2: Expected a JSON object.'],
    ['{"id":"x"}', 'line 2: timestamp: '],
    [JSON.stringify({ ...row(2), reader: 'me' }), 'line 2: '],
    [JSON.stringify(row(2, { timestamp: 'yesterday' })), 'line 2: timestamp: Expected a timestamp'],
    [JSON.stringify(row(2, { query: '\u0000' })), 'line 2: query: contains characters'],
    [JSON.stringify(row(2, { timestamp: '2999-01-01T00:00:00Z' })), 'turn-2 is not before'],
  ])('an import rejects the line %s with an error that locates it', async (line, message) => {
    const project = await createProject()
    writeFileSync(path('wrong.ndjson'), `${JSON.stringify(row(1))}\n${line}\n`)
    const done = octavo('conversations', 'import', project, path('wrong.ndjson'))
    await expect(done).rejects.toThrow(message)
  })

  test('an import rejects bytes that are not UTF-8', async () => {
    const project = await createProject()
    writeFileSync(path('latin.ndjson'), Buffer.from([0x22, 0xe9, 0x22, 0x0a]))
    const done = octavo('conversations', 'import', project, path('latin.ndjson'))
    await expect(done).rejects.toThrow('latin.ndjson is not valid UTF-8.')
  })

  test('an export without conversations is an empty file that only its owner can read', async () => {
    const project = await createProject()
    await octavo('conversations', 'export', project, '-o', path('none.ndjson'))
    expect(readFileSync(path('none.ndjson'), 'utf8')).toBe('')
    expect(statSync(path('none.ndjson')).mode & 0o777).toBe(0o600)
  })

  test('an export needs a file name that ends in .ndjson', async () => {
    const project = await createProject()
    await expect(octavo('conversations', 'export', project)).rejects.toThrow(
      'Missing output file (-o).',
    )
    await expect(octavo('conversations', 'export', project, '-o', 'a.csv')).rejects.toThrow(
      'Invalid -o: expected a file name that ends in .ndjson.',
    )
  })
})

describe('invalid commands and the help', () => {
  test.each([
    [['projects'], 'Unknown command "projects".'],
    [['key', 'make'], 'Unknown command "key make".'],
    [['key', 'list'], 'Missing project id.'],
    [['key', 'list', 'prj_nothing'], 'Project prj_nothing does not exist.'],
    [['migrate', '--name', 'x'], '--name is not an option of migrate.'],
    [['key', 'list', '--loud'], "Unknown option '--loud'"],
  ])('the command %j is rejected', async (args, message) => {
    await expect(octavo(...args)).rejects.toThrow(message)
  })

  test('the help lists every command, role and environment variable', () => {
    const [usage = '', environment = ''] = HELP.split('\nEnvironment\n')
    for (const command of COMMAND_NAMES) expect(usage).toContain(`octavo-service ${command} `)
    expect(usage).toContain(`--role ${ROLES.join('|')} `)
    const names = environment.match(/^ {2}[A-Z].*?(?: {2,}|$)/gm)?.join(' ') ?? ''
    for (const name of ENVIRONMENT_NAMES) expect(names.split(/[\s,]+/)).toContain(name)
  })
  test('without a command, the program prints an overview of its commands that fits on one screen', () => {
    for (const command of COMMAND_NAMES) {
      // The overview omits commands that a new user does not need, such as `init`.
      const [noun = ''] = command.split(' ')
      if (!['init', 'deployment', 'organization', 'github-app'].includes(noun))
        expect(OVERVIEW).toContain(noun)
    }
    expect(OVERVIEW.split('\n').length).toBeLessThan(20)
    expect(OVERVIEW).toContain('octavo-service --help')
  })
})
