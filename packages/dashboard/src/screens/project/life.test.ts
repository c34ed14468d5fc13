/** Tests the pages to rename, archive, transfer and delete a project, with recorded responses. */
import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { type ApiOptions, problemToResponse } from '../../../testing/recorded-api.ts'
import { ORGANIZATION_ID, PROJECT_ID } from '../../../testing/sample-facts.ts'

const PROJECT = `/projects/${PROJECT_ID}`
const ORGANIZATION = `/organizations/${ORGANIZATION_ID}`

const open = (path: string, options?: ApiOptions) => visitScreen(path, undefined, options)

const proofNeeded = (path: string) => ({
  [`POST /v1${path}`]: () =>
    Response.json(
      {
        type: '/problems/sign-in-again',
        title: 'Recent sign-in required',
        status: 403,
        code: 'sign-in-again',
        detail: 'Sign in again.',
        requestId: 'req_1',
      },
      { status: 403 },
    ),
})

describe('project settings screens', () => {
  test('saving the project settings sends the slug, and an error is shown next to it', async () => {
    const form = { name: 'Sensor docs', slug: 'sensors', retentionDays: '30' }
    const { changes, location } = await visitScreen(`${PROJECT}/settings`, form)
    expect(changes).toMatchObject([{ method: 'PUT', body: { slug: 'sensors' } }])
    expect(location).toBe(`${PROJECT}/settings?saved`)
    const replies = {
      [`PUT /v1${PROJECT}/settings`]: () =>
        problemToResponse(409, { param: 'slug', detail: 'Taken.' }),
    }
    const refused = await visitScreen(`${PROJECT}/settings`, form, { replies })
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/id="field-slug-error">.*Taken\./)
  })

  test('an admin sees the link to archive a project, and an owner also those to transfer and delete it', async () => {
    const owner = await open(`${PROJECT}/settings`)
    for (const page of ['archive', 'transfer', 'delete'])
      expect(owner.text).toContain(`href="${PROJECT}/${page}"`)
    const admin = await open(`${PROJECT}/settings`, { role: 'admin' })
    expect(admin.text).toContain(`href="${PROJECT}/archive"`)
    for (const page of ['transfer', 'delete'])
      expect(admin.text).not.toContain(`href="${PROJECT}/${page}"`)
  })
})

describe('the page to delete a project', () => {
  test('the page to delete a project lists what is lost, with counts', async () => {
    const { text } = await open(`${PROJECT}/delete`)
    for (const part of ['1,189', '48,211', 'Active API keys', '8.4 GB', 'after 7 days'])
      expect(text.toLowerCase()).toContain(part.toLowerCase())
    expect(text).toContain('Type sensor-docs to confirm')
  })

  test('deleting a project sends the typed slug and redirects to the list of projects', async () => {
    const { changes, location } = await visitScreen(`${PROJECT}/delete`, { slug: 'sensor-docs' })
    expect(changes).toMatchObject([
      { method: 'POST', path: `/v1${PROJECT}/delete`, body: { slug: 'sensor-docs' } },
    ])
    expect(location).toBe('/?deleted')
    expect((await open('/?deleted')).text).toContain('The project was deleted.')
  })

  test.each([
    [`${PROJECT}/delete`, { slug: 'sensor-docs' }],
    [`${PROJECT}/transfer`, { slug: 'sensor-docs', organization: 'org_8w2m0hd6xk3tqz5n' }],
    [`${ORGANIZATION}/delete`, { name: 'Greenhouse' }],
  ])(
    'the form %s asks for a recent sign-in, with a link that returns to its page',
    async (path, form) => {
      const { status, text } = await visitScreen(path, form, { replies: proofNeeded(path) })
      expect(status).toBe(403)
      expect(text).toContain(`href="/sign-in?again&amp;next=${encodeURIComponent(path)}"`)
      // The form keeps the input.
      for (const value of Object.values(form)) expect(text).toContain(`value="${value}"`)
    },
  )
})

describe('the page to transfer a project', () => {
  test("the transfer page offers the person's other organizations", async () => {
    const { text } = await open(`${PROJECT}/transfer`)
    expect(text).toContain('<option value="org_8w2m0hd6xk3tqz5n"')
    expect(text).not.toContain(`<option value="${ORGANIZATION_ID}"`)
  })

  test('a transfer revokes keys and tokens unless the box is unchecked', async () => {
    const { text } = await open(`${PROJECT}/transfer`)
    expect(text).toMatch(/name="revoke" value="on" checked>.*3 API keys and 1 reader token/)
    expect(text).toContain('CI jobs of 1 repository can no longer deploy')
    const form = { slug: 'sensor-docs', organization: 'org_8w2m0hd6xk3tqz5n' }
    const path = `/v1${PROJECT}/transfer`
    const checked = await visitScreen(`${PROJECT}/transfer`, { ...form, revoke: 'on' })
    expect(checked.changes).toMatchObject([{ path, body: { ...form, revoke: true } }])
    const unchecked = await visitScreen(`${PROJECT}/transfer`, form)
    expect(unchecked.changes).toMatchObject([{ path, body: { ...form, revoke: false } }])
  })

  test('an error about the organization of a transfer is shown next to its field', async () => {
    const replies = {
      [`POST /v1${PROJECT}/transfer`]: () =>
        problemToResponse(409, { param: 'organization', detail: 'It is there already.' }),
    }
    const { text } = await visitScreen(`${PROJECT}/transfer`, { slug: 'x' }, { replies })
    expect(text).toMatch(/id="field-organization-error">.*It is there already\./)
  })
})

describe('organization screens', () => {
  test('only owners can rename and delete an organization', async () => {
    const owner = await open(ORGANIZATION)
    expect(owner.text).toContain('>Rename</button>')
    expect(owner.text).toContain(`href="${ORGANIZATION}/delete"`)
    const viewer = await open(ORGANIZATION, { role: 'viewer' })
    expect(viewer.status).toBe(200)
    expect(viewer.text).not.toContain('>Rename</button>')
    expect(viewer.text).not.toContain(`${ORGANIZATION}/delete`)
    const { changes, location } = await visitScreen(ORGANIZATION, { name: 'Glasshouse' })
    expect(changes).toMatchObject([{ method: 'PUT', body: { name: 'Glasshouse' } }])
    expect(location).toBe(`${ORGANIZATION}?saved`)
  })
})
