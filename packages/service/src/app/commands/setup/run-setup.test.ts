import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../../builder/testing/child-environment.ts'
import { freePort } from '../../../../testing/start-postgres.ts'
import { visit } from '../../../../testing/test-deployment.ts'
import { readSettings } from '../../settings/env.ts'
import { runSetup } from './run-setup.ts'

const MAIN = join(import.meta.dirname, '../../../main.ts')
const URLS = ['--url', 'https://octavo.example.com', '--sites-domain', 'sites.example.net']
const SECRETS = ['OCTAVO_KEY_PEPPER', 'OCTAVO_SECRET_KEYS', 'DATABASE_URL'] as const

let folder = ''
let file = ''
let count = 0
let name = ''
const roles = new Set<string>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-setup-'))
  file = join(folder, 'octavo.env')
  count += 1
  name = `octavo_setup_${process.pid}_${count}`
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await sql(`drop database if exists ${name} with (force)`)
  await sql(`drop role if exists ${name}_service`)
})
afterAll(async () => {
  for (const role of roles) await sql(`drop role if exists ${role}`)
})

async function sql(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(inject('databaseUrl'))
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const databaseUrl = (change: Partial<URL> = {}) =>
  Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }, change).href

type SetupInput = {
  readonly lines?: readonly string[]
  readonly environment?: Record<string, string>
}

async function setUp(args: readonly string[], { lines = [], environment = {} }: SetupInput = {}) {
  const printed: string[] = []
  const code = await runSetup(args, {
    environment,
    print: (line) => printed.push(`${line}\n`),
    write: (text) => printed.push(text),
    input: Readable.from(lines.map((line) => `${line}\n`)),
    now: Date.now,
    socketFolders: [],
  })
  return { code, text: printed.join('') }
}

/**
 * Writes ports to the settings file. By default any free ports are used, since other tests run at
 * the same time; only the last test needs known ones.
 */
function writePorts({ more = '', port = 0, adminPort = 0 } = {}): void {
  writeFileSync(file, `# mine\nPORT=${port}\nOCTAVO_ADMIN_PORT=${adminPort}\n${more}`, {
    mode: 0o600,
  })
}

const values = (path = file) => parseEnv(readFileSync(path, 'utf8')) as Record<string, string>
const modeOf = (path: string) => statSync(path).mode & 0o777
const allArgs = () => [...URLS, '--settings', file, '--database', databaseUrl(), '--yes']

describe('settings files of setup', () => {
  test('the first setup writes private files, creates the database and prints the link', async () => {
    writePorts()
    const { code, text } = await setUp(allArgs())
    expect(text).toContain(`Created the database "${name}".`)
    expect(text).toContain('0 failed')
    expect(text).toMatch(/https:\/\/octavo\.example\.com\/setup\/\w+/)
    expect(text).toContain(`octavo-service --settings ${file} --role all`)
    expect(code).toBe(0)
    expect(modeOf(join(folder, 'owner.env'))).toBe(0o600)
    expect(values()).not.toHaveProperty('DATABASE_OWNER_URL')
    expect(values(join(folder, 'owner.env'))).toEqual({ DATABASE_OWNER_URL: databaseUrl() })
    const read = readSettings(values())
    expect(read).toMatchObject({
      kind: 'read',
      settings: {
        url: 'https://octavo.example.com',
        sitesDomain: 'sites.example.net',
        secretKeys: [{ id: '1' }],
        trustedProxies: ['127.0.0.1/32'],
        blobs: { blobs: join(folder, 'blobs') },
      },
    })
    expect(new URL(values().DATABASE_URL ?? '').username).toBe(`${name}_service`)
    // Setup prints no secret except the link.
    for (const secret of SECRETS) expect(text).not.toContain(values()[secret])
  })

  test('a second setup changes no line of the file and reports that', async () => {
    writePorts()
    await setUp(allArgs())
    const before = readFileSync(file, 'utf8')
    const { code, text } = await setUp(['--settings', file, '--yes'])
    expect(text).toContain(' 0 failed')
    expect(code).toBe(0)
    expect(text).toContain(`${file} already has all settings.`)
    expect(text).toContain('The database is up to date.')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('setup keeps the existing settings in a file and adds the missing ones', async () => {
    const pepper = 'a pepper that was here before, 32 characters'
    writePorts({ more: `OCTAVO_KEY_PEPPER='${pepper}'\nOCTAVO_SECRET_KEYS=\n# the end` })
    chmodSync(file, 0o644)
    const { code, text } = await setUp(allArgs())
    expect(code).toBe(0)
    expect(text).toMatch(/Added to .*octavo\.env: .*OCTAVO_SECRET_KEYS/)
    expect(text).not.toMatch(/Added to .*OCTAVO_KEY_PEPPER/)
    expect(values().OCTAVO_KEY_PEPPER).toBe(pepper)
    expect(values().OCTAVO_SECRET_KEYS).toMatch(/^1:[\w+/]{43}=$/)
    expect(readFileSync(file, 'utf8').match(/^OCTAVO_SECRET_KEYS=/gm)).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toMatch(/^# mine\n[\s\S]*\n# the end\n/)
    expect(modeOf(file)).toBe(0o640)
  })

  test('setup rejects an option that contradicts the file, and an invalid value in the file', async () => {
    writePorts({ more: 'OCTAVO_URL=https://other.example.com\n' })
    await expect(setUp(allArgs())).rejects.toThrow(
      /--url is https:\/\/octavo\.example\.com, but .* has OCTAVO_URL=https:\/\/other\.example\.com\. Edit the file/,
    )
    writeFileSync(file, 'OCTAVO_URL=octavo\n')
    await expect(setUp(['--settings', file, '--yes'])).rejects.toThrow(
      /octavo\.env: OCTAVO_URL must be the address of this service/,
    )
  })
})

describe('the questions of setup', () => {
  test('setup asks only for missing settings, and repeats a question until the answer is valid', async () => {
    writePorts()
    const lines = [
      ...['octavo.example.com', 'https://octavo.example.com'],
      ...['docs.example.com', '', 'sites.example.net'],
      ...['s3://bucket/files', ''],
      ...['mysql://x', 'postgres://127.0.0.1', databaseUrl()],
    ]
    const { code, text } = await setUp(['--settings', file], { lines })
    expect(code).toBe(0)
    for (const reason of [
      'OCTAVO_URL must be the address of this service, such as',
      'share the domain example.com: a site could set cookies for the API.',
      'OCTAVO_SITES_DOMAIN must be a domain such as',
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required. Set them for this command',
      'Invalid DATABASE_OWNER_URL: expected the URL of a PostgreSQL database',
      'DATABASE_OWNER_URL needs a role and a database',
    ])
      expect(text).toContain(reason)
    const again = await setUp(['--settings', file])
    expect(again.code).toBe(0)
    expect(again.text).not.toContain('Address of the dashboard')
  })

  test('without an answer, setup names the missing option and writes no file', async () => {
    await expect(setUp(['--settings', file], { lines: ['https://a.example.com'] })).rejects.toThrow(
      'Missing --sites-domain: the question was not answered, so nothing was written.',
    )
    expect(existsSync(file)).toBe(false)
    await expect(setUp(['--settings', file, '--yes', ...URLS])).rejects.toThrow(
      'Missing --database.',
    )
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    [['--url', 'ftp://x'], 'OCTAVO_URL must be the address of this service'],
    [[...URLS.slice(0, 2), '--sites-domain', 'a.example.com'], 'Use another domain for sites.'],
    [[...URLS, '--database', 'x'], 'Invalid DATABASE_OWNER_URL'],
    [[...URLS, '--blobs', 'ftp://x'], 'Invalid OCTAVO_BLOBS'],
  ])('setup rejects the options %j', async (args, reason) => {
    await expect(setUp([...args, '--settings', file, '--yes'])).rejects.toThrow(reason)
    expect(existsSync(file)).toBe(false)
  })

  test("setup reads a bucket's keys from the environment", async () => {
    const bucket = ['--blobs', 's3://bucket/files', '--settings', file, '--yes']
    const owner = databaseUrl({ port: String(await freePort()) })
    await setUp([...URLS, ...bucket, '--database', owner], {
      environment: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'se cret', DATABASE_URL: 'x' },
    })
    expect(values()).toMatchObject({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'se cret' })
    expect(values()).not.toHaveProperty('DATABASE_URL')
  })
})

describe('setup with an unusable database', () => {
  test('setup prints SQL if the role cannot create the database, and succeeds after the SQL was run', async () => {
    writePorts()
    const role = `${name}_poor`
    roles.add(role)
    await sql(`create role ${role} login createrole`)
    const owner = databaseUrl({ username: role })
    const { code, text } = await setUp([...URLS, '--settings', file, '--database', owner, '--yes'])
    expect(code).toBe(1)
    expect(text).toContain(
      `The database "${name}" does not exist, and the role "${role}" has no permission to create it.`,
    )
    const statement = `create database "${name}" owner "${role}";`
    expect(text).toContain(`\n  ${statement}\n`)
    expect(text).toContain(`octavo-service setup --settings ${file}`)
    const before = values()
    await sql(statement, `grant octavo_app, octavo_definer to ${role} with admin option`)
    const again = await setUp(['--settings', file, '--yes'])
    expect(again.text).toContain('0 failed')
    expect(again.code).toBe(0)
    expect(values()).toMatchObject(before)
  })

  test('setup explains that the server is unreachable and keeps the secrets', async () => {
    const port = String(await freePort())
    const { code, text } = await setUp([
      ...[...URLS, '--settings', file, '--yes'],
      ...['--database', databaseUrl({ port })],
    ])
    expect(code).toBe(1)
    expect(text).toContain(`PostgreSQL does not listen at 127.0.0.1:${port} (ECONNREFUSED).`)
    expect(text).not.toContain('create role')
    expect(values().OCTAVO_KEY_PEPPER).toHaveLength(44)
  })

  test('setup prints SQL for the role and the database if the role does not exist', async () => {
    const owner = databaseUrl({ username: `${name}_absent`, password: "it's" })
    const { code, text } = await setUp([...URLS, '--settings', file, '--yes', '--database', owner])
    expect(code).toBe(1)
    expect(text).toContain(
      `  create role "${name}_absent" login createrole password 'it''s';\n  create database "${name}" owner "${name}_absent";`,
    )
  })

  test("setup does not change the password of another installation's role", async () => {
    await sql(`create database ${name}`, `create role ${name}_service login password 'theirs'`)
    await expect(setUp(allArgs())).rejects.toThrow(
      `The role "${name}_service" already exists, and ${file} does not contain its password.`,
    )
    expect(existsSync(file)).toBe(false)
  })
})

describe('setup --print-env', () => {
  const linesOf = (text: string) => text.match(/^\w+(?==)/gm)

  test('`setup --print-env` prints settings and new secrets for Compose and writes no files', async () => {
    const first = await setUp(['--print-env', ...URLS])
    expect(linesOf(first.text)).toEqual([
      ...['OCTAVO_URL', 'OCTAVO_SITES_DOMAIN', 'OCTAVO_DATABASE_PASSWORD'],
      ...['OCTAVO_KEY_PEPPER', 'OCTAVO_SECRET_KEYS'],
    ])
    const second = await setUp(['--print-env', ...URLS])
    expect(second.text).not.toBe(first.text)
    // The values contain no character that is special in env files.
    expect(first.text).not.toMatch(/['"$ \t#\\]/)
  })

  test('`setup --print-env --database` prints only secrets for Kubernetes, with a database role', async () => {
    const database = 'postgres://owner:hidden@db.example.com/octavo'
    const { text } = await setUp(['--print-env', '--database', database])
    expect(linesOf(text)).toEqual([
      ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'OCTAVO_KEY_PEPPER', 'OCTAVO_SECRET_KEYS'],
    ])
    expect(text).toMatch(
      /^DATABASE_URL=postgres:\/\/octavo_service:[\da-f]{48}@db\.example\.com\/octavo$/m,
    )
    expect(text).not.toContain('hidden')
  })

  test.each([
    [['--sites-domain', 'sites.example.net'], 'OCTAVO_SITES_DOMAIN needs OCTAVO_URL.'],
    [['--url', 'x'], 'OCTAVO_URL must be the address of this service'],
    [['--settings', 'x'], '--print-env writes to standard output'],
  ])('`setup --print-env` rejects %j', async (args, reason) => {
    await expect(setUp(['--print-env', ...args])).rejects.toThrow(reason)
  })
})

test('the service starts with the files that setup wrote, and the doctor finds no failures', async () => {
  const [port, adminPort] = [await freePort(), await freePort()]
  writePorts({ port, adminPort })
  const url = `http://octavo.localhost:${port}`
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: CHILD_ENVIRONMENT })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
    const [code] = await once(child, 'close')
    return { code, text: output.join('') }
  }
  const made = await run(
    ...['setup', '--yes', '--url', url, '--sites-domain', 'sites.localhost'],
    ...['--settings', file, '--database', databaseUrl()],
  )
  expect(made).toMatchObject({ code: 0, text: expect.stringContaining('0 warnings, 0 failed') })
  const service = spawn(process.execPath, [MAIN, '--settings', file, '--role', 'all'], {
    env: { ...CHILD_ENVIRONMENT, OCTAVO_WORK_FOLDER: join(folder, 'work') },
  })
  try {
    for await (const line of createInterface({ input: service.stdout }))
      if (line.includes('"listening"')) break
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200)
    const [path = ''] = /\/setup\/\w+/.exec(made.text) ?? []
    expect((await visit(port, 'octavo.localhost', path)).status).toBe(200)
    const doctor = await run(
      ...['--settings', file, '--settings', join(folder, 'owner.env'), 'doctor'],
    )
    expect(doctor).toMatchObject({ code: 0, text: expect.stringContaining(' 0 failed') })
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  expect(await run('--settings', join(folder, 'nothing.env'), 'doctor')).toMatchObject({
    code: 2,
    text: expect.stringContaining('nothing.env cannot be read.'),
  })
})
