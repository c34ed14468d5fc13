/** Tests the tool `what_changed` on hosted sites, with sites from the real builder. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  newAssistantSite,
  readerOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { createTestReader } from '../../../testing/private-readers.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import type { TestService } from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { ApiChanges } from '../../publishing/deployments/api-changes.ts'
import { ComparisonStore } from '../../publishing/deployments/comparison-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'

const POLL = { interval: 50, timeout: 10_000 }
const PASSWORD = 'a password for tests'

type Access = 'public' | 'default' | 'staff'
const METADATA = { public: '{public: true}', default: '{}', staff: '{groups: [staff]}' }

/** Returns a specification with one operation, whose required query parameters are named. */
const specification = (
  name: string,
  access: Access,
  ...parameters: readonly string[]
) => `openapi: 3.1.0
info: {title: ${name}, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /${name}:
    get:
      summary: Get ${name}
      x-mint: {metadata: ${METADATA[access]}}
      parameters: [${parameters.map((one) => `{name: ${one}, in: query, required: true, schema: {type: string}}`).join(', ')}]
      responses: {'200': {description: All}}
`

const page = (title: string, text: string, more = '') =>
  `---\ntitle: ${title}\n${more}\n---\n${text}\n`

function site(
  pages: Readonly<Record<string, string>>,
  specifications: Readonly<Record<string, string>>,
) {
  const names = Object.keys(pages).map((file) => file.replace('.mdx', ''))
  const listed = names.filter((name) => name !== 'unlisted')
  const apis = Object.keys(specifications).map((openapi) => ({ group: openapi, openapi }))
  const navigation = { groups: [{ group: 'Care', pages: listed }, ...apis] }
  const config = JSON.stringify({ name: 'Garden', navigation })
  return builtSite({ 'docs.json': config, ...pages, ...specifications })
}

const OPEN = 'public: true'
const STAFF = 'groups: [staff]'
const LONG = Array.from({ length: 4_000 }, (_, row) => `Row ${row} of a long page.`).join('\n\n')

const FIRST = {
  'index.mdx': page('Welcome', 'Hello.', OPEN),
  'water.mdx': page('Water', 'Every morning.', OPEN),
  'old.mdx': page('Old', 'An old page.', OPEN),
  'here.mdx': page('Place', 'It moves.', OPEN),
  'long.mdx': page('Long', LONG, OPEN),
  'inside.mdx': page('Inside', 'For all who sign in.'),
  'plan.mdx': page('Plan', 'For staff.', STAFF),
  'opened.mdx': page('Opened', 'For staff at first.', STAFF),
  'closed.mdx': page('Closed', 'For everyone at first.', OPEN),
  'legacy.mdx': page('Legacy', 'For a group that is gone later.', 'groups: [legacy]'),
  'unlisted.mdx': page('Unlisted', 'Nobody lists it.', `hidden: true\n${OPEN}`),
}
const { 'old.mdx': _old, 'here.mdx': moved, 'legacy.mdx': _legacy, ...KEPT } = FIRST
const SECOND = {
  ...KEPT,
  'water.mdx': page('Water', 'Every evening.', OPEN),
  'there.mdx': moved,
  'long.mdx': page('Long', `${LONG}\n\nOne more row.`, OPEN),
  'inside.mdx': page('Inside', 'Also for guests.'),
  'plan.mdx': page('Plan', 'For staff, but better.', STAFF),
  'opened.mdx': page('Opened', 'For everyone now.', OPEN),
  'closed.mdx': page('Closed', 'For staff now.', STAFF),
  'treasure.mdx': page('Treasure', 'New for staff.', STAFF),
  'unlisted.mdx': page('Unlisted', 'Still nobody lists it.', `hidden: true\n${OPEN}`),
}
const APIS = [
  {
    'open.yaml': specification('open', 'public'),
    'inner.yaml': specification('inner', 'default'),
    'staff.yaml': specification('secrets', 'staff'),
    'opening.yaml': specification('opening', 'staff'),
    'closing.yaml': specification('closing', 'public'),
    'gone.yaml': specification('gone', 'public'),
  },
  {
    'open.yaml': specification('open', 'public', 'first'),
    'inner.yaml': specification('inner', 'default', 'inward'),
    'staff.yaml': specification('secrets', 'staff', 'covert'),
    'opening.yaml': specification('opening', 'public', 'unveiled'),
    'closing.yaml': specification('closing', 'public', 'veiled'),
    'gone.yaml': specification('gone', 'public', 'vanished'),
  },
  {
    'open.yaml': specification('open', 'public', 'first', 'second'),
    'inner.yaml': specification('inner', 'default', 'inward'),
    'staff.yaml': specification('secrets', 'staff', 'covert'),
    'opening.yaml': specification('opening', 'public', 'unveiled'),
    'closing.yaml': specification('closing', 'staff', 'veiled'),
  },
] as const
const BREAKING = 'breaking: GET /open: The query parameter'

let service: TestService
let blobs: BlobStore
let garden: AssistantSite
beforeAll(async () => {
  blobs = await openFolderStore(fastTempFolder())
  service = await startAssistantService({ blobStore: blobs })
  garden = await newAssistantSite(service, await site(FIRST, APIS[0]))
  expect(
    await garden.client.call('PUT', '/access', { mode: 'password', password: PASSWORD }),
  ).toMatchObject({ status: 200 })
  await garden.client.deploy(await site(SECOND, APIS[1]))
  await garden.client.deploy(await site(SECOND, APIS[2]))
  await compareAll(garden)
}, 120_000)
afterAll(() => service.stop())

/** Compares all deployments, as the job does. */
function compareAll({ project }: AssistantSite) {
  const bound = service.service.database.forProject(project.tenant)
  const stores = {
    deployments: new DeploymentStore(bound),
    comparisons: new ComparisonStore(bound),
  }
  return new ApiChanges({ ...stores, blobs }).compareAll(new AbortController().signal)
}

/** Calls the tool, for an anonymous reader or a signed-in one with groups. */
async function changes(input: object, groups?: readonly string[], of = garden) {
  const session = groups && { project: of.project, groups }
  const { headers } = await createTestReader(service, of.host, session)
  const params = { name: 'what_changed', arguments: input }
  const { text } = await readerOf(service.port, of.host).call('POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { content, isError = false } = JSON.parse(text).result
  const answer = (content[0].text as string).replaceAll(`http://${of.host}`, '')
  return { text: answer.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'DATE'), isError }
}

/** Waits until hosts serve the third deployment with its protection. */
async function seen(groups?: readonly string[]): Promise<string> {
  await expect
    .poll(async () => (await changes({ since: '1' }, groups)).text, POLL)
    .toContain('to #3')
  return (await changes({ since: '1' }, groups)).text
}

describe('what_changed', () => {
  test('what_changed shows an anonymous reader only changes of public pages and specifications', async () => {
    expect(await seen()).toBe(`Changes from #1, live since DATE UTC, to #3, which is live now.

## Pages added

- /api-reference/get-opening
- /opened

## Pages changed

- /api-reference/get-open
- /water
- /long

## Pages moved

- /here is now /there

## Pages removed

- /api-reference/get-closing
- /api-reference/get-gone
- /closed
- /old

## API changes, oldest first

- ${BREAKING} \`first\` is new and required. (open.yaml, #2)
- ${BREAKING} \`second\` is new and required. (open.yaml, #3)`)
  })

  test('what_changed shows a signed-in reader changes of what readers without groups may read', async () => {
    const text = await seen([])
    for (const wanted of ['- /inside\n', '`inward`', '`second`']) expect(text).toContain(wanted)
    expect(text).not.toMatch(/plan|treasure|legacy|unlisted|covert|secrets|veiled|vanished/)
  })

  test('what_changed shows a reader in a group changes of its pages and specifications', async () => {
    const text = await seen(['staff'])
    for (const wanted of ['/plan', '/treasure', '`covert`', '`unveiled`', '`veiled`'])
      expect(text).toContain(wanted)
    expect(text).not.toMatch(/legacy|unlisted|vanished/)
  })

  test('what_changed names a removed page only to its former readers, also after other readers asked', async () => {
    for (const groups of [['legacy'], ['other'], ['legacy'], []])
      expect((await seen(groups)).includes('/legacy')).toBe(groups.includes('legacy'))
  })

  test('what_changed accepts a number with #, a date and a time', async () => {
    await seen()
    const at = new Date()
    const later = await changes({ since: at.toISOString() })
    expect(later.text).toBe('Nothing has changed: #3, live since DATE UTC, is still live.')
    const second = await changes({ since: '#2' })
    expect(second.text).toContain('Changes from #2,')
    expect(second.text).not.toMatch(/`first`|Pages added|water/)
    expect(second.text).toContain('`second`')
  })

  test('what_changed says so if no deployment of that date is kept', async () => {
    await seen()
    const { text, isError } = await changes({ since: '2020-01-31' })
    expect([isError, text.split('\n\n')[0]]).toEqual([
      false,
      'No deployment that was live then is kept. The comparison begins with the next one that is kept.',
    ])
    expect(text).toContain('Changes from #1,')
  })

  test.each([
    [{}, 'Missing argument "since".'],
    [
      { since: 'yesterday' },
      'Invalid argument "since": expected the number of a deployment, such as 12',
    ],
    [{ since: '0' }, 'Invalid argument'],
    [{ since: '2026-02-31' }, 'Invalid argument'],
    [{ since: '2026-02-28T10:00' }, 'Invalid argument'],
    [{ since: '2'.repeat(41) }, 'Invalid argument'],
    [{ since: 2 }, 'Invalid argument'],
    [
      { since: '99' },
      'was never live, or is no longer kept. The oldest one is #1, live since DATE UTC.',
    ],
  ])('what_changed rejects the input %j with a hint', async (input, hint) => {
    expect(await changes(input)).toEqual({ text: expect.stringContaining(hint), isError: true })
  })

  test('what_changed treats a draft like a deployment that does not exist', async () => {
    await garden.client.deploy(
      await site({ ...SECOND, 'draft.mdx': page('Draft', 'Soon.', OPEN) }, APIS[2]),
      { draft: true },
    )
    expect((await changes({ since: '4' })).text).toBe((await changes({ since: '99' })).text)
  })

  test('what_changed says that API changes are not known before they are compared', async () => {
    const other = await newAssistantSite(
      service,
      await site({ 'index.mdx': FIRST['index.mdx'] }, APIS[0]),
    )
    await other.client.deploy(await site({ 'index.mdx': FIRST['index.mdx'] }, APIS[1]))
    const read = async () => (await changes({ since: '1' }, undefined, other)).text
    await expect.poll(read, POLL).toContain('are not known (yet)')
    await compareAll(other)
    expect(await read()).not.toContain('are not known (yet)')
    expect(await read()).toContain(BREAKING)
  })

  test('what_changed lists at most 100 pages and counts the rest that the reader may see', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 205 }, (_, index) => [
        `page-${index}.mdx`,
        page(`Page ${index}`, 'Text.', index < 103 ? '' : STAFF),
      ]),
    )
    const start = { 'index.mdx': FIRST['index.mdx'] }
    const other = await newAssistantSite(service, await site(start, {}))
    await other.client.deploy(await site({ ...start, ...many }, {}))
    await compareAll(other)
    const read = async () => (await changes({ since: '1' }, undefined, other)).text
    await expect.poll(read, POLL).toContain('Pages added')
    const text = await read()
    expect(text.match(/^- \/page-\d+$/gm)).toHaveLength(100)
    expect(text).toContain('- and 3 more\n\nNo API change is known.')
  })
})
