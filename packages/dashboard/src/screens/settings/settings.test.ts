import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { LONG_BRANCH, PROJECT_ID } from '../../../testing/sample-facts.ts'

const PATH = `/projects/${PROJECT_ID}/settings`
const API = `/v1/projects/${PROJECT_ID}/settings`
const WEBHOOK = `/v1/projects/${PROJECT_ID}/webhook`

const visit = (form?: ScreenForm, options?: ApiOptions) => visitScreen(PATH, form, options)

describe('the settings screen', () => {
  test('a setting from docs.json shows its line, with a link to the file at the deployed commit', async () => {
    const { text } = await visit()
    expect(text).toContain(`Read from <code>a41f9c2</code> on ${LONG_BRANCH}`)
    expect(text).toContain(
      '<a class="source" href="https://github.com/greenhouse/sensor-docs/blob/a41f9c2b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a1/docs/docs.json#L18" rel="noreferrer">docs.json:18</a>',
    )
    expect(text).toContain('English, German')
    expect(text).toMatch(/Suggested questions<\/dt><dd><span class="muted">None/)
  })

  test('the rule for publishing with problems names the line of docs.json that sets it', async () => {
    const { text } = await visit()
    expect(text).toContain('docs.json:231 says: Do not publish if there is an error.')
    const empty = await visit(undefined, { isEmpty: true })
    expect(empty.text).toContain(
      'the default applies: Do not publish if a problem breaks the site.',
    )
    expect(empty.text).toContain('Nothing is live yet')
  })

  test('saving a card of the settings sends only its fields', async () => {
    const general = await visit({ part: 'general', name: 'Plants', slug: 'plants' })
    expect(general.changes).toMatchObject([
      { method: 'PUT', path: API, body: { name: 'Plants', slug: 'plants' } },
    ])
    expect(general.location).toBe(`${PATH}?saved`)
    const data = await visit({ part: 'data', retentionDays: '30' })
    expect(data.changes[0]?.body).toEqual({ retentionDays: 30 })
  })

  test('repositories of CI jobs may be addresses or have the form `github:owner/name`', async () => {
    const trust = [
      'github:octo/docs@main',
      ' https://github.com/octo/site ',
      '',
      'gitlab.com/group/sub/docs.git@release',
    ].join('\r\n')
    const { changes } = await visit({ part: 'publishing', failOn: 'none', trust })
    expect(changes[0]?.body).toEqual({
      failOn: 'none',
      playgroundProxy: false,
      trust: ['github:octo/docs@main', 'github:octo/site', 'gitlab:group/sub/docs@release'],
    })
    const plain = await visit({ part: 'publishing', failOn: '', playgroundProxy: 'on', trust: '' })
    expect(plain.changes[0]?.body).toEqual({ failOn: null, playgroundProxy: true, trust: [] })
  })

  test('a rejected repository of CI jobs is reported in its card, which keeps the input', async () => {
    const detail = 'Invalid repository "octo": expected github:owner/name[@branch].'
    const refuse = () => problemToResponse(400, { detail, param: 'trust' })
    const { status, text } = await visit(
      { part: 'publishing', failOn: 'none', trust: 'octo' },
      { replies: { [`PUT ${API}`]: refuse } },
    )
    expect(status).toBe(400)
    expect(text).toContain('Invalid repository &quot;octo&quot;')
    expect(text).toContain('>octo</textarea>')
    expect(text).toMatch(/value="none"\s+checked/)
  })

  test('only owners of the organization see the actions to transfer and delete a project', async () => {
    const { text } = await visit(undefined, { role: 'admin' })
    expect(text).toContain('Archive…')
    expect(text).not.toContain('Delete…')
    expect(text).toContain('Only owners of Greenhouse can transfer and delete its projects')
  })
})

describe('the webhook card', () => {
  const change = (path: string, form: ScreenForm, options?: ApiOptions) =>
    visitScreen(`${PATH}/webhook${path}`, form, options)

  test('a new webhook shows its secret once', async () => {
    const form = { part: 'webhook', url: 'https://example.com/x', format: 'standard' }
    const { status, text, changes } = await change('', form)
    expect(changes).toMatchObject([
      { method: 'PUT', path: WEBHOOK, body: { url: 'https://example.com/x', format: 'standard' } },
    ])
    expect(status).toBe(200)
    expect(text).toContain('value="whsec_')
    expect((await visit()).text).not.toContain('whsec_')
  })

  test('a rejected webhook URL is shown again with the reason', async () => {
    const refuse = () => problemToResponse(400, { detail: 'Expected an https URL.', param: 'url' })
    const { status, text } = await change(
      '',
      { part: 'webhook', url: 'ftp://x', format: 'slack' },
      { replies: { [`PUT ${WEBHOOK}`]: refuse } },
    )
    expect(status).toBe(400)
    expect(text).toContain('Expected an https URL.')
    expect(text).toContain('value="ftp://x"')
    expect(text).toMatch(/value="slack"\s+checked/)
  })

  test('the result of a webhook test is shown', async () => {
    expect((await change('/test', {})).text).toContain('your server responded with 200')
    const failed = { delivered: false, reason: 'the server responded with status 500' }
    const { text } = await change(
      '/test',
      {},
      { replies: { [`POST ${WEBHOOK}/test`]: () => Response.json(failed) } },
    )
    expect(text).toContain('The test was not delivered.')
    expect(text).toContain('The server responded with status 500.')
  })

  test('saving a webhook without a new secret redirects to the settings', async () => {
    const form = { part: 'webhook', url: 'https://example.com/x', format: 'standard' }
    const reply = () => Response.json({ url: form.url, format: form.format })
    const { location } = await change('', form, { replies: { [`PUT ${WEBHOOK}`]: reply } })
    expect(location).toBe(`${PATH}?saved`)
  })

  test('the webhook card shows the result of the last message', async () => {
    expect((await visit()).text).toContain('the server responded with status 500')
  })

  test('removing the webhook redirects to the settings', async () => {
    const { changes, location } = await change('/remove', {})
    expect(changes).toMatchObject([{ method: 'DELETE', path: WEBHOOK }])
    expect(location).toBe(`${PATH}?saved`)
  })

  test('the settings of a project without a webhook only offer to add one', async () => {
    const { text } = await visit(undefined, { isEmpty: true })
    expect(text).toContain('Add the webhook')
    expect(text).not.toContain('settings/webhook/test')
  })
})
