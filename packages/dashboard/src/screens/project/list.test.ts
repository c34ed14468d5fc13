import { Overview, type ProjectList } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'
import { sampleProjects } from '../../../testing/sample-projects.ts'
import { sampleOverview } from '../../../testing/sample-readers.ts'

/** Returns the text of a page without tags, on one line. */
const textOf = (page: string) =>
  page
    .replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe('the list of projects', () => {
  test('a project with a failed build names the older deployment that is live', async () => {
    const { text } = await visitScreen('/')
    expect(textOf(text)).toContain('Build failed older #128 is live')
    expect(text).toContain(`href="/projects/${PROJECT_ID}/builds/${ULIDS.failed}"`)
    expect(textOf(text)).toContain('1 to 20 of 104')
  })

  test('the list of projects is read from the API in one call, with the filter from the address', async () => {
    const search =
      'q=sdk&state=failed&access=members&organization=org_1&gaps=open&sort=name&cursor=next'
    const { calls } = await visitScreen(`/?${search}`)
    expect(calls.map(({ path }) => path)).toEqual(['/v1/me', `/v1/projects?${search}`])
  })

  test('unknown filter values of the list of projects are not sent to the API', async () => {
    const { calls } = await visitScreen('/?state=odd&access=nobody&sort=size&gaps=many')
    expect(calls[1]?.path).toBe('/v1/projects')
  })

  test('the filter form keeps the chosen state, and the links to states keep the other filters', async () => {
    const { text } = await visitScreen('/?state=failed&q=sdk&sort=gaps')
    expect(text).toContain('<input type="hidden" name="state" value="failed">')
    expect(text).toContain('href="/?q=sdk&amp;state=live&amp;sort=gaps"')
    expect(text).toMatch(/value="gaps" selected/)
  })

  test('if no project matches the filter, the list offers to clear it', async () => {
    const list: ProjectList = {
      ...sampleProjects('', false),
      projects: [],
      total: 0,
      first: 0,
      nextCursor: null,
    }
    const replies = { 'GET /v1/projects': () => Response.json(list) }
    const { text } = await visitScreen('/?q=x', undefined, { replies })
    expect(textOf(text)).toContain('No projects match')
    expect(text).toContain('<a class="button" href="/">Clear the filters</a>')
    expect(textOf(text)).not.toContain('0 to')
  })
})

describe('a failed build on the overview', () => {
  const at = `/projects/${PROJECT_ID}`

  test('the overview shows the failed build, its first errors, and what readers still see', async () => {
    const { text } = await visitScreen(at)
    const shown = textOf(text)
    expect(shown).toContain('Readers still see #1184')
    expect(shown).toContain('hardware/h3.mdx:42')
    expect(shown.indexOf('The last build failed')).toBeLessThan(shown.indexOf('live for'))
    expect(text).toContain(`action="${at}/builds/${ULIDS.failed}/retry"`)
  })

  test('a viewer sees the failed build but cannot retry it', async () => {
    const { text } = await visitScreen(at, undefined, { role: 'viewer' })
    expect(textOf(text)).toContain('The last build failed')
    expect(text).not.toContain('/retry"')
  })

  test('a project without a deployment shows its failed build above the first steps', async () => {
    const { failedBuild } = sampleOverview('', false) as Overview
    const overview = Overview.parse({ ...sampleOverview('', true), failedBuild })
    const replies = { [`GET /v1${at}/overview`]: () => Response.json(overview) }
    const { text } = await visitScreen(at, undefined, { isEmpty: true, replies })
    expect(textOf(text)).toContain('No deployment is live yet.')
    expect(textOf(text)).toContain('Deploy from your machine')
  })

  test('the overview of a project without problems says that nothing needs attention', async () => {
    const overview = Overview.parse(sampleOverview('', true))
    const replies = {
      [`GET /v1${at}/overview`]: () => Response.json({ ...overview, openGaps: 0 }),
      [`GET /v1${at}`]: () =>
        Response.json({
          id: PROJECT_ID,
          name: 'Sensor docs',
          slug: 'sensor-docs',
          live: ULIDS.live,
          liveNumber: 1184,
          lockReason: null,
        }),
    }
    const { text } = await visitScreen(at, undefined, { replies })
    expect(textOf(text)).toContain('Nothing needs attention')
    expect(textOf(text)).not.toContain('The last build failed')
  })

  test('the overview shows author, changed pages and age of the live deployment', async () => {
    const { text } = await visitScreen(at)
    expect(textOf(text)).toMatch(/Jonas Lindqvist live for 38 min/)
    expect(textOf(text)).toContain('Pages +1 ~3 −1 since #1180')
  })
})
