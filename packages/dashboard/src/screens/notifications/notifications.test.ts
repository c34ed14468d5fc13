import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

const PATH = `/projects/${PROJECT_ID}/notifications`
const API = `/v1/projects/${PROJECT_ID}/notifications`

const visit = (form?: ScreenForm, options?: ApiOptions) => visitScreen(PATH, form, options)

describe('notification screens', () => {
  test('the notifications screen shows the chosen kinds, the addresses and the sent notifications', async () => {
    const { text } = await visit()
    expect(text.match(/ checked/g)).toHaveLength(2)
    expect(text).toMatch(/<textarea[^>]*>docs-team@greenhouse\.example\non-call@/)
    expect(text).toContain('The build of main (f07be51) failed')
    expect(text).toContain('4 people, webhook')
    expect(text).not.toContain('cannot send e-mail')
  })

  test('without mail server and webhook, the notifications screen says that no notifications are sent', async () => {
    const { text } = await visit(undefined, { isEmpty: true })
    expect(text).toContain('This service cannot send e-mail.')
    expect(text).toContain('The project has no webhook either, so no notifications are sent.')
    expect(text).toContain('No notifications yet')
  })

  test('the former address of the notifications screen redirects to the current one', async () => {
    const { status, location } = await visitScreen(`/projects/${PROJECT_ID}/notices`)
    expect([status, location]).toEqual([303, PATH])
  })

  test('notification addresses may be on separate lines or separated by commas', async () => {
    const addresses = 'a@example.com\r\n b@example.com,c@example.com;\n'
    const { changes, status, location } = await visit({ email: ['build.failed'], addresses })
    expect(changes).toMatchObject([
      {
        method: 'PUT',
        path: API,
        body: {
          email: ['build.failed'],
          addresses: ['a@example.com', 'b@example.com', 'c@example.com'],
        },
      },
    ])
    expect([status, location]).toEqual([303, `${PATH}?saved`])
    expect((await visit({ addresses: '' })).changes[0]?.body).toEqual({ email: [], addresses: [] })
  })

  test('a rejected notification address is named with its line, and the form keeps the input', async () => {
    const refusal = { detail: 'Expected an e-mail address.', param: 'addresses.1' }
    const { status, text, changes } = await visit(
      { email: 'key.expiring', addresses: 'a@example.com\n\nnot an <b>' },
      { replies: { [`PUT ${API}`]: () => problemToResponse(400, refusal) } },
    )
    expect(changes[0]?.body).toMatchObject({ addresses: ['a@example.com', 'not an <b>'] })
    expect(status).toBe(400)
    expect(text).toContain('Line 3: “not an &lt;b&gt;” is not an e-mail address.')
    expect(text).toContain('a@example.com\n\nnot an &lt;b&gt;</textarea>')
    expect(text.match(/ checked/g)).toHaveLength(1)
  })
})
