/**
 * Tests `octavo login` with a real service: the code, the browser, the credentials file and later
 * commands.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSessions } from '../../../service/src/people/sessions/sessions.ts'
import { formTokenOf } from '../../../service/src/people/sign-in/forms.ts'
import { type RunningPostgres, startPostgres } from '../../../service/testing/start-postgres.ts'
import { ORIGIN, openTestBrowser } from '../../../service/testing/test-browser.ts'
import { createTemplate } from '../../../service/testing/test-database.ts'
import { createPerson, type TestPerson } from '../../../service/testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../service/testing/test-service.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-login-'))
const file = join(folder, 'octavo', 'credentials.json')
let postgres: RunningPostgres
let service: TestService
let project: TestProject
let person: TestPerson
beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  await createTemplate(postgres.url)
  service = await startTestService({ url: ORIGIN, serverUrl: postgres.url })
  project = await service.createProject()
  person = await createPerson(service, project, 'editor')
}, 60_000)
afterAll(async () => {
  await service.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

/** Runs a command, and allows or denies the request in the browser as soon as the code is shown. */
async function octavo(args: readonly string[], answer?: 'allow' | 'deny') {
  let [out, err] = ['', '']
  const writes: Promise<void>[] = []
  const code = await run({
    args: args.includes(service.url) ? args : [...args, '--service', service.url],
    cwd: folder,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, XDG_CONFIG_HOME: folder },
    clock: {
      now: Date.now,
      sleep: async () => {
        await Promise.all(writes)
        if (answer === undefined)
          await service.owner.query('update device_request set expires_at = now()')
      },
    },
    out: {
      write: (text) => {
        out += text
        const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(text) ?? []
        if (userCode !== undefined && answer !== undefined) writes.push(decide(userCode, answer))
      },
    },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

async function decide(code: string, answer: string): Promise<void> {
  const cookie = person.cookie.replace(/^[^=]+=/, '')
  const found = await createSessions(service.service.database, PEPPER).find(cookie)
  if (found === undefined) throw new Error('nobody is signed in')
  const browser = openTestBrowser(service)
  browser.cookies.set('__Host-octavo', cookie)
  const token = formTokenOf(found, PEPPER)
  await browser.visit('/device', { form: { token, code, answer } })
}

test('octavo login creates a session, commands use it instead of an API key, and logout ends it', async () => {
  const login = await octavo(['login'], 'allow')
  expect(login).toMatchObject({ code: 0, err: '' })
  expect(login.out).toContain(`Open ${ORIGIN}/device`)
  expect(login.out).toContain(`You are signed in as ${person.email}.`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'octavo')).mode & 0o777).toBe(0o700)

  const whoami = await octavo(['whoami', service.url])
  expect(whoami.out).toBe(
    `editor 1 <${person.email}>\n  ${project.publicId}  Test, editor (Test)\n`,
  )
  expect(JSON.parse((await octavo(['whoami', '--json'])).out)).toMatchObject({
    email: person.email,
  })
  const lists = `Missing --project: the id of the project, prj_….\nYour projects on ${new URL(service.url).origin}:\n  ${project.publicId}  Test, editor (Test)\nUsage:`
  for (const command of ['deploy', 'gaps', 'builds'])
    expect(await octavo([command])).toMatchObject({ code: 2, err: expect.stringContaining(lists) })
  const gaps = await octavo(['gaps', '--project', project.publicId])
  expect(gaps).toMatchObject({ code: 0, out: 'There are no gaps.\n' })
  const list = await octavo(['deployments', '--project', 'prj_0000000000000000'])
  expect(list).toMatchObject({
    code: 1,
    err: 'octavo: The service refused the request (404): The project does not exist.\n',
  })

  const { token } = JSON.parse(readFileSync(file, 'utf8')).services[service.url]
  expect((await octavo(['logout'])).out).toContain('You are signed out of')
  expect(existsSync(file)).toBe(false)
  const me = await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(me.status).toBe(401)
  expect((await octavo(['logout'])).out).toContain('You are not signed in to')
  expect(await octavo(['whoami'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('octavo login'),
  })
  expect((await octavo(['gaps', '--project', 'p'])).err).toContain('or run `octavo login`')
  expect((await octavo(['deploy'])).err).not.toContain('Your projects')
})

test('a denied or expired sign-in request fails', async () => {
  expect(await octavo(['login'], 'deny')).toMatchObject({
    code: 1,
    err: 'octavo: The sign-in request was denied in the browser.\n',
  })
  expect(await octavo(['login'])).toMatchObject({
    code: 1,
    err: 'octavo: The code has expired. Run `octavo login` again.\n',
  })
  expect(existsSync(file)).toBe(false)
})

test('whoami reports a session that was ended elsewhere, and logout removes it', async () => {
  await octavo(['login'], 'allow')
  await service.owner.query(
    `delete from user_session where kind = 'command-line' and device like 'octavo on %'`,
  )
  expect((await octavo(['whoami'])).err).toContain('You are signed out. Run `octavo login` again.')
  expect((await octavo(['logout'])).code).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test('a session is sent only to its own service, and an invalid file is ignored', async () => {
  await octavo(['login'], 'allow')
  const kept = readFileSync(file, 'utf8').replace(service.url, 'https://other.example')
  writeFileSync(file, kept)
  expect((await octavo(['whoami'])).err).toContain('You are not signed in')
  writeFileSync(file, 'octavo_ses_canary')
  expect((await octavo(['whoami'])).err).toContain('You are not signed in')
})
