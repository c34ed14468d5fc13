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

test('an appended operation adds its facts to those of the page in the order of the HTML', () => {
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

test("the method and address of an operation come before the author's text", () => {
  const endpoint = '<div class="oct-endpoint" data-playground="none"><code>/plants</code></div>'
  const whole = appendPage(page, { ...operation, html: `${endpoint}<p>Lists.</p>` })
  expect(whole.html).toBe(`${endpoint}<h2 id="use">Use</h2><p>Lists.</p>`)
})

test('appending an empty page does not change the page', () => {
  expect(appendPage(EMPTY_PAGE, operation).sections).toEqual(operation.sections)
  expect(appendPage(page, EMPTY_PAGE).sections).toEqual(page.sections)
})
