import { expect, test } from 'vitest'
import { appendPage, EMPTY_PAGE } from './append-page.ts'
import type { CompiledPage } from './compile-page.ts'

const page: CompiledPage = {
  ...EMPTY_PAGE,
  html: '<h2 id="use">Use</h2>',
  ids: ['use'],
  features: ['diagram'],
  sections: [
    { id: '', path: [], heading: '', text: 'intro' },
    { id: 'use', path: [], heading: 'Use', text: 'how' },
  ],
}
const operation: CompiledPage = {
  ...EMPTY_PAGE,
  html: '<h2 id="body">Body</h2>',
  ids: ['body'],
  features: ['playground'],
  sections: [
    { id: '', path: [], heading: '', text: 'GET /plants' },
    { id: 'body', path: [], heading: 'Body', text: 'name' },
  ],
}

test('a page with an operation has the facts of both in HTML order', () => {
  const whole = appendPage(page, operation)
  expect(whole.html).toBe('<h2 id="use">Use</h2><h2 id="body">Body</h2>')
  expect(whole.ids).toEqual(['use', 'body'])
  expect(whole.features).toEqual(['diagram', 'playground'])
  expect(whole.sections).toEqual([
    { id: '', path: [], heading: '', text: 'intro' },
    { id: 'use', path: [], heading: 'Use', text: 'how\nGET /plants' },
    { id: 'body', path: [], heading: 'Body', text: 'name' },
  ])
})

test('appending an empty page changes nothing', () => {
  expect(appendPage(EMPTY_PAGE, operation).sections).toEqual(operation.sections)
  expect(appendPage(page, EMPTY_PAGE).sections).toEqual(page.sections)
})
