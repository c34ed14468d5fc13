import { EMPTY_FRONTMATTER } from '@octavo/model'
import { expect, test } from 'vitest'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { printPage } from './page-outputs.ts'

const COMPILED = { markdown: 'Text.\n' } as CompiledPage
const page = (more: object, fields: object = {}, metadata: object = {}) =>
  ({
    title: 'Plants',
    frontmatter: { ...EMPTY_FRONTMATTER, fields, metadata },
    ...more,
  }) as PlannedPage

test('the Markdown of a page contains its title, description and text', () => {
  expect(printPage(page({ description: 'All\nof them.' }), COMPILED)).toBe(
    '# Plants\n\n> All of them.\n\nText.\n',
  )
  expect(printPage(page({}), { ...COMPILED, markdown: '' })).toBe('# Plants\n')
})

test('the Markdown of a page contains its version and deprecation (requirement P5)', () => {
  expect(printPage(page({ entry: { deprecated: true } }, { version: 'v2' }), COMPILED)).toBe(
    '# Plants\n\nVersion v2 · **Deprecated**\n\nText.\n',
  )
})

test('the Markdown of a page omits a description that is repeated in the text', () => {
  expect(printPage(page({ description: 'Short.' }, {}, { hideDescription: true }), COMPILED)).toBe(
    '# Plants\n\nText.\n',
  )
})
