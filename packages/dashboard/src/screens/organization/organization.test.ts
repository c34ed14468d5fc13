import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { ORGANIZATION_ID } from '../../../testing/sample-facts.ts'

const PATH = `/organizations/${ORGANIZATION_ID}`

const visit = (path: string, projects: number) => {
  const listed = Array.from({ length: projects }, (_, index) => ({
    id: `prj_${index}`,
    name: `Docs ${index}`,
    slug: `docs-${index}`,
    archived: false,
  }))
  const organization = { id: ORGANIZATION_ID, name: 'Greenhouse', role: 'owner', projects: listed }
  return visitScreen(path, undefined, {
    replies: { [`GET /v1${PATH}`]: () => Response.json(organization) },
  })
}

describe('deleting an organization', () => {
  test('the page names the first five remaining projects, with a link to all', async () => {
    const { text } = await visit(`${PATH}/delete`, 103)
    expect(text).toContain('<b>103</b>')
    expect(text).toContain('<div>Docs 4</div>')
    expect(text).not.toContain('Docs 5')
    expect(text).toContain(`href="/?organization=${ORGANIZATION_ID}">and 98 more</a>`)
  })

  test('up to five remaining projects are all named', async () => {
    const { text } = await visit(`${PATH}/delete`, 5)
    expect(text).toContain('<div>Docs 4</div>')
    expect(text).not.toContain(' more</a>')
  })

  test('without projects, the page says that none has to be deleted first', async () => {
    expect((await visit(`${PATH}/delete`, 0)).text).toContain('None')
  })

  test('the danger zone explains the deletion next to its link, as in a project', async () => {
    const { text } = await visit(PATH, 103)
    const [, zone = ''] = text.split('<section class="card danger-zone"')
    expect(zone).toContain('Delete or transfer its 103 projects before that.')
    expect(zone).toContain(`<a class="button danger" href="${PATH}/delete">Delete…</a>`)
    expect((await visit(PATH, 0)).text).not.toContain('before that.')
  })
})
