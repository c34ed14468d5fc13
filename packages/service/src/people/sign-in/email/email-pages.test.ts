/** Tests sign-in codes and links sent by e-mail, with a real SMTP server on loopback. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../../testing/mail-server.ts'
import { ORIGIN, openTestBrowser, type TestBrowser } from '../../../../testing/test-browser.ts'
import { createPerson, type TestPerson } from '../../../../testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/test-service.ts'
import { NO_SIGN_IN, type SignUpPolicy } from '../../sign-in-settings.ts'
import { readRecoveryCode } from '../passkeys/recovery-codes.ts'

const FROM = 'Octavo <octavo@example.com>'
let mails: MailServer
let service: TestService
let project: TestProject
beforeAll(async () => {
  mails = await startMailServer()
  service = await start({ kind: 'domains', domains: ['open.example'] })
  project = await service.createProject()
  await createPerson(service, project, 'owner')
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
})

async function start(signUp: SignUpPolicy, smtpUrl = mails.url): Promise<TestService> {
  const signIn = { ...NO_SIGN_IN, signUp, mail: { smtpUrl, from: FROM } }
  return startTestService({ url: ORIGIN, signIn, trustedProxies: ['127.0.0.1/32'] })
}

let network = 0
/** Each test uses a new network, so that it has its own rate limits. */
function openBrowser(at = service): TestBrowser {
  network += 1
  const headers = { 'x-forwarded-for': `10.0.${network}.1` }
  const browser = openTestBrowser(at)
  return {
    ...browser,
    visit: (path, sent) =>
      browser.visit(path, { ...sent, headers: { ...headers, ...sent?.headers } }),
  }
}

const somebody = (): Promise<TestPerson> => createPerson(service, project, 'viewer')
const codeIn = ({ text }: { readonly text: string }) => /\b\d{6}\b/.exec(text)?.[0] ?? ''
const pathOf = (url: string | undefined) => new URL(url ?? '').pathname
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const ask = (browser: TestBrowser, email: string, next = '/') =>
  browser.visit('/sign-in/email', { form: { email, next } })
const type = (browser: TestBrowser, code: string) =>
  browser.visit('/sign-in/email/code', { form: { code, email: 'x', next: '/' } })

describe('sign-in codes', () => {
  test('a sign-in code works once in the browser that requested it, and redirects to the requested page', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    expect((await browser.visit('/sign-in')).text).toContain('Send me a code')
    const sent = await ask(browser, ` ${email.toUpperCase()} `, '/projects/x')
    expect(sent.status).toBe(200)
    expect(sent.text).toContain('name="code"')
    expect(sent.headers.get('set-cookie')).toMatch(
      /^__Host-octavo-email=octavo_lnk_\w+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const mail = await mails.next(email)
    expect(mail.subject).toContain(codeIn(mail))
    const code = codeIn(mail)
    const kept = new Map(browser.cookies)
    const done = await type(browser, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([done.status, done.location]).toEqual([303, '/projects/x'])
    expect(await browser.isSignedIn()).toBe(true)
    const again = openBrowser()
    for (const [name, value] of kept) again.cookies.set(name, value)
    expect((await type(again, code)).status).toBe(403)
    expect((await again.visit(pathOf(mail.links[0]), { form: {} })).status).toBe(404)
  })

  test('a sign-in code is rejected in another browser', async () => {
    const [{ email }, browser, thief] = [await somebody(), openBrowser(), openBrowser()]
    await ask(browser, email)
    const code = codeIn(await mails.next(email))
    expect((await type(thief, code)).status).toBe(403)
    await ask(thief, 'nobody@example.com')
    expect((await type(thief, code)).status).toBe(403)
    expect(await thief.isSignedIn()).toBe(false)
    expect((await type(browser, code)).status).toBe(303)
  })

  test('a sign-in code is rejected after five wrong attempts', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const code = codeIn(await mails.next(email))
    expect((await type(browser, other(code))).text).toContain('4 attempts are left')
    for (const wrong of ['', 'abc', `${code}0`])
      expect((await type(browser, wrong)).text).toContain('left.')
    expect((await type(browser, other(code))).text).toContain('too many attempts')
    expect((await type(browser, code)).status).toBe(403)
  })

  test('concurrent attempts with wrong codes count towards the limit of five', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const code = codeIn(await mails.next(email))
    const tries = await Promise.all(Array.from({ length: 12 }, () => type(browser, other(code))))
    expect(tries.filter(({ text }) => text.includes('left.'))).toHaveLength(4)
    expect((await type(browser, code)).status).toBe(403)
  })

  test('a sign-in code expires after ten minutes', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const mail = await mails.next(email)
    await service.owner.query('update sign_in_code set expires_at = now() where email = $1', [
      email,
    ])
    expect((await type(browser, codeIn(mail))).status).toBe(403)
    expect((await browser.visit(pathOf(mail.links[0]))).status).toBe(404)
  })

  test('a second sign-in code replaces the first', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const first = await mails.next(email)
    await ask(browser, email)
    const second = await mails.next(email)
    expect((await browser.visit(pathOf(first.links[0]))).status).toBe(404)
    if (codeIn(first) !== codeIn(second))
      expect((await type(browser, codeIn(first))).status).toBe(403)
    expect((await type(browser, codeIn(second))).status).toBe(303)
  })

  test('sign-in codes and links are neither stored in plain text nor logged', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const mail = await mails.next(email)
    const rows = JSON.stringify(await service.owner.query('select * from sign_in_code'))
    const log = service.log.join('')
    for (const secret of [codeIn(mail), pathOf(mail.links[0]).split('/').at(-1) ?? '']) {
      expect(rows).not.toContain(secret)
      expect(log).not.toContain(secret)
    }
    expect(log).not.toContain(email)
  })
})

describe('the sign-in link in the e-mail', () => {
  test('a sign-in link survives e-mail scanners and works once, in any browser', async () => {
    const [{ email }, browser, phone] = [await somebody(), openBrowser(), openBrowser()]
    await ask(browser, email, '/projects/x')
    const { links } = await mails.next(email)
    expect(links).toHaveLength(1)
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS'])
      for (const link of links) {
        const scanner = openBrowser()
        await scanner.visit(pathOf(link), { method })
        expect(await scanner.isSignedIn()).toBe(false)
      }
    const page = await phone.visit(pathOf(links[0]))
    expect(page.text).toContain('<form method="post"')
    expect(page.text).toContain(email)
    const done = await phone.visit(pathOf(links[0]), { form: {} })
    expect([done.status, done.location]).toEqual([303, '/projects/x'])
    expect((await browser.visit(pathOf(links[0]), { form: {} })).status).toBe(404)
  })

  test('a sign-in link that another site submits does nothing', async () => {
    const [{ email }, browser] = [await somebody(), openBrowser()]
    await ask(browser, email)
    const { links } = await mails.next(email)
    const headers = { origin: 'https://evil.example' }
    expect((await browser.visit(pathOf(links[0]), { form: {}, headers })).status).toBe(403)
    expect((await browser.visit(pathOf(links[0]), { form: {} })).status).toBe(303)
  })
})

describe('privacy of known addresses', () => {
  const withoutAddress = (text: string, email: string) => text.replaceAll(email, 'EMAIL')

  test('an unknown address gets the same pages and errors, but no e-mail', async () => {
    const { email } = await somebody()
    const [known, unknown] = [openBrowser(), openBrowser()]
    const stranger = 'stranger@example.com'
    const pages = [await ask(known, email), await ask(unknown, stranger)]
    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    expect(withoutAddress(pages[1]?.text ?? '', stranger)).toBe(
      withoutAddress(pages[0]?.text ?? '', email),
    )
    const code = codeIn(await mails.next(email))
    for (let count = 0; count < 6; count += 1) {
      const [a, b] = [await type(known, other(code)), await type(unknown, other(code))]
      expect(b.status).toBe(a.status)
      expect(withoutAddress(b.text, stranger)).toBe(withoutAddress(a.text, email))
    }
    expect(mails.received.filter(({ to }) => to === stranger)).toEqual([])
  })

  test('a disabled person gets no e-mail', async () => {
    const { email, id } = await somebody()
    await service.owner.query('update app_user set disabled_at = now() where id = $1', [id])
    expect((await ask(openBrowser(), email)).status).toBe(200)
    await ask(openBrowser(), (await somebody()).email)
    expect(mails.received.filter(({ to }) => to === email)).toEqual([])
  })

  test.each(['nobody', '', 'a@b', 'a@example.com\nBcc: b@example.com', 'a b@example.com'])(
    'the invalid e-mail address %j is rejected',
    async (email) => {
      expect((await ask(openBrowser(), email)).status).toBe(422)
    },
  )
})

describe('rate limits of codes', () => {
  const codesTo = (email: string) => mails.received.filter(({ to }) => to === email).length

  test('an address gets at most fifty codes per hour, and the page does not show that limit', async () => {
    const { email } = await somebody()
    for (let count = 0; count < 52; count += 1)
      expect((await ask(openBrowser(), email)).status).toBe(200)
    await ask(openBrowser(), (await somebody()).email)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(codesTo(email)).toBe(50)
  })

  test('an attacker who requests codes for an address does not lock its owner out', async () => {
    const { email } = await somebody()
    const [stranger, browser] = [openBrowser(), openBrowser()]
    for (let count = 0; count < 12; count += 1)
      expect((await ask(stranger, email)).status).toBe(200)
    await expect.poll(() => codesTo(email)).toBe(10)
    await ask(browser, email)
    await expect.poll(() => codesTo(email)).toBe(11)
    const code = codeIn(mails.received.findLast(({ to }) => to === email) ?? { text: '' })
    expect((await type(browser, code)).status).toBe(303)
  })

  test('a sign-in code still works after its address has reached the limit', async () => {
    const { email } = await somebody()
    const browser = openBrowser()
    await ask(browser, email)
    const code = codeIn(await mails.next(email))
    for (let count = 0; count < 52; count += 1) await ask(openBrowser(), email)
    expect((await type(browser, code)).status).toBe(303)
  })

  test('an attacker who tries recovery codes of an address does not lock its owner out', async () => {
    const { id, email } = await somebody()
    const code = 'ABCD-EFGH-JKLM-NPQR'
    await service.owner.query(
      'insert into recovery_code (user_id, code_hash, pepper_id) values ($1, $2, $3)',
      [id, PEPPER.hash('recovery code', readRecoveryCode(code)), PEPPER.id],
    )
    const recover = (browser: TestBrowser, typed: string) =>
      browser.visit('/sign-in/recovery', { form: { email, code: typed } })
    const stranger = openBrowser()
    for (let count = 0; count < 10; count += 1)
      expect((await recover(stranger, 'wrong')).status).toBe(403)
    expect((await recover(stranger, 'wrong')).status).toBe(429)
    expect((await recover(openBrowser(), code)).status).toBe(303)
  })

  test('a network can request at most twenty codes per hour', async () => {
    const browser = openBrowser()
    const replies: number[] = []
    for (let count = 0; count < 21; count += 1)
      replies.push((await ask(browser, `nobody-${count}@example.com`)).status)
    expect(replies).toEqual([...Array(20).fill(200), 429])
    expect((await ask(openBrowser(), 'nobody-1@example.com')).status).toBe(200)
  })
})

describe('new people', () => {
  test('only addresses in an open domain can sign up', async () => {
    const browser = openBrowser()
    await ask(browser, 'new@open.example')
    expect((await type(browser, codeIn(await mails.next('new@open.example')))).status).toBe(303)
    expect(await browser.isSignedIn()).toBe(true)
    await ask(openBrowser(), 'new@sub.open.example')
    await ask(openBrowser(), 'new2@open.example')
    await mails.next('new2@open.example')
    expect(mails.received.filter(({ to }) => to === 'new@sub.open.example')).toEqual([])
  })

  test('an invitation is sent by e-mail, and its link survives scanners', async () => {
    const admin = await createPerson(service, project, 'admin')
    await service.owner.query('update app_user set name = $2 where id = $1', [
      admin.id,
      'Eve\r\nBcc: all@example.com https://evil.example',
    ])
    const reply = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guest@example.com', role: 'editor' }),
    })
    expect(reply.status).toBe(201)
    const mail = await mails.next('guest@example.com')
    expect(mail.links).toHaveLength(1)
    const scanner = openBrowser()
    for (const method of ['GET', 'HEAD']) await scanner.visit(pathOf(mail.links[0]), { method })
    const browser = openBrowser()
    const page = await browser.visit(pathOf(mail.links[0]))
    expect(page.text).toContain('guest@example.com')
    expect(page.text).toContain('Send the code')
  })

  test('an invited person becomes a member by signing in with a code', async () => {
    const admin = await createPerson(service, project, 'admin')
    await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guest2@example.com', role: 'editor' }),
    })
    await mails.next('guest2@example.com')
    const browser = openBrowser()
    await ask(browser, 'guest2@example.com')
    expect((await type(browser, codeIn(await mails.next('guest2@example.com')))).status).toBe(303)
    const rows = await service.owner.query(
      `select m.role from membership m join app_user u on u.id = m.user_id where u.email = $1`,
      ['guest2@example.com'],
    )
    expect(rows).toEqual([{ role: 'editor' }])
  })
})

test('an unreachable mail server is logged, and the page does not show the error', async () => {
  const away = await start({ kind: 'invited' }, 'smtp://127.0.0.1:9')
  const { email } = await createPerson(away, await away.createProject(), 'owner')
  expect((await ask(openBrowser(away), email)).status).toBe(200)
  await expect.poll(() => away.log.join('')).toContain('a mail was not sent')
  expect(away.log.join('')).not.toContain(email)
  await away.stop()
})
