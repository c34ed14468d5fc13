import { expect, test } from 'vitest'
import { labelAnswered } from './compared-questions.ts'

test('a question is masked before it is asked, even if it was stored without masking', () => {
  const query = 'Why is sk-live-0123456789abcdef refused for ann@example.com?'
  expect(labelAnswered([{ id: '1', query, sources: [{ url: '/water' }] }], '')).toEqual([
    {
      name: '1',
      question: 'Why is <masked: key> refused for <masked: e-mail>?',
      pages: new Set(['/water']),
      passages: [],
    },
  ])
})

test.each([
  ['/docs/water#hose', '/docs', ['/water']],
  ['https://docs.example.com/docs/a/', '/docs', ['/a']],
  ['https://docs.example.com/', '', ['/']],
  ['https://docs.example.com/water', '/docs', undefined],
  ['https://docs.example.com/docsx/water', '/docs', undefined],
  ['http://[', '', undefined],
])('the source %s of a site below "%s" is the page %j', (url, basePath, pages) => {
  const [labeled] = labelAnswered([{ id: '1', query: 'Why?', sources: [{ url }] }], basePath)
  expect(labeled && [...labeled.pages]).toEqual(pages)
})
