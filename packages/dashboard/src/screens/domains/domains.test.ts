import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { sampleDomains } from '../../../testing/sample-domains.ts'
import { NOW, PROJECT_ID } from '../../../testing/sample-facts.ts'

const PATH = `/projects/${PROJECT_ID}/domains`
const API = `/v1/projects/${PROJECT_ID}/domains`
const NAME = 'docs.greenhouse.example'

const visit = (path = PATH, form?: ScreenForm, options?: ApiOptions) =>
  visitScreen(path, form, options)

/** Returns API options in which the first domain of the sample is changed. */
const withDomain = (change: object): ApiOptions => {
  const { domains } = sampleDomains({ hostile: '', isEmpty: false })
  const [first, ...rest] = domains
  const reply = { domains: [{ ...first, ...change }, ...rest] }
  return { replies: { [`GET ${API}`]: () => Response.json(reply) } }
}

describe('custom domain screens', () => {
  test('a custom domain is shown with the results of five checks and the DNS records to create', async () => {
    const { text } = await visit()
    for (const label of ['Claimed', 'Resolves', 'Reaches this service', 'Certificate'])
      expect(text).toContain(`<b>${label}</b><span class="sr-only">: done</span>`)
    expect(text).toContain('<b>Canonical links</b><span class="sr-only">: waiting</span>')
    expect(text).toContain('Seen from DNS servers 192.0.2.53, 198.51.100.53, ')
    expect(text).toContain(`>_octavo-challenge.${NAME}</span>`)
    expect(text).toContain('>sensor-docs.sites.greenhouse.example</span>')
    expect(text).toContain('Waiting for DNS')
    // Only a domain that is served is a link.
    expect(text).toContain(`href="https://${NAME}/"`)
    expect(text).not.toContain(`href="https://www.${NAME}/"`)
  })

  test.each([
    [
      { state: 'missing', servedUntil: new Date(NOW + 86_400_000).toISOString() },
      'is served until',
    ],
    [{ state: 'lapsed' }, 'missing for 7 days'],
    [{ state: 'lost' }, 'Another organization proved'],
    [{ redirects: true }, 'Stop redirecting'],
    [{}, `Redirect to www.${NAME}`],
  ])('the screen explains a domain with %j', async (change, words) => {
    expect((await visit(PATH, undefined, withDomain(change))).text).toContain(words)
  })

  test('without custom domains, the screen explains how to add one', async () => {
    const { text } = await visit(PATH, undefined, { isEmpty: true })
    expect(text).toContain('No custom domains yet')
    expect(text).toContain('domain add docs.example.com')
  })

  test('domains are added, checked, redirected and removed through the API', async () => {
    const domain = sampleDomains({ hostile: '', isEmpty: false }).domains[0]
    const replies = { [`POST ${API}`]: () => Response.json(domain, { status: 201 }) }
    const added = await visit(PATH, { name: ' docs.example.com ' }, { replies })
    expect(added.changes).toMatchObject([
      { method: 'POST', path: API, body: { name: 'docs.example.com' } },
    ])
    expect([added.status, added.location]).toEqual([303, PATH])
    const checked = await visit(`${PATH}/${NAME}/check`, {})
    expect(checked.changes).toMatchObject([{ method: 'POST', path: `${API}/${NAME}/check` }])
    expect(checked.status).toBe(303)
    const redirected = await visit(`${PATH}/${NAME}/redirect`, { redirects: 'on' })
    expect(redirected.changes).toMatchObject([
      { method: 'PUT', path: `${API}/${NAME}`, body: { redirects: true } },
    ])
    expect((await visit(`${PATH}/${NAME}/remove`)).text).toContain('Remove the domain?')
    const removed = await visit(`${PATH}/${NAME}/remove`, {})
    expect(removed.changes).toMatchObject([{ method: 'DELETE', path: `${API}/${NAME}` }])
    expect(removed.location).toBe(PATH)
  })

  test('a rejected custom domain stays in the form, with the reason', async () => {
    const refusal = { detail: 'The domain is a wildcard.', param: 'name' }
    const replies = { [`POST ${API}`]: () => problemToResponse(400, refusal) }
    const { status, text } = await visit(PATH, { name: '*.a.example' }, { replies })
    expect(status).toBe(400)
    expect(text).toContain('The domain is a wildcard.')
    expect(text).toContain('value="*.a.example"')
  })

  test('the error that a domain was checked too often is shown above the domains', async () => {
    const replies = {
      [`POST ${API}/${NAME}/check`]: () => problemToResponse(429, { detail: 'Too many checks.' }),
    }
    const { status, text } = await visit(`${PATH}/${NAME}/check`, {}, { replies })
    expect([status, text.includes('Too many checks.')]).toEqual([429, true])
  })
})
