import type { FoundSection, LibraryPage } from '@octavo/search'
import { describe, expect, test } from 'vitest'
import { estimateTokens, truncateToTokens, wasTruncated } from './count-tokens.ts'
import { createDataFence } from './data-fence.ts'
import { SourceLedger } from './source-ledger.ts'
import { type PromptInput, type PromptSettings, writePrompt } from './write-prompt.ts'

const page = (number: number): LibraryPage => ({
  path: `guides/page-${number}`,
  url: `/guides/page-${number}`,
  title: `Page ${number}`,
  description: 'Says how to do a thing that many readers want to do. '.repeat(5),
  trail: ['Product', 'Guides'],
})
const section = (number: number, text: string): FoundSection => ({
  score: 1,
  section: { page: page(number), id: 'use', headings: ['Use'], text },
})

const SMALL: PromptInput = {
  question: { text: 'How do I install it?', history: [] },
  pages: [page(1)],
  found: [section(1, 'Use npm.')],
  current: undefined,
}
const LONG = 'A sentence that says something about the subject. '.repeat(2_000)
const LARGE: PromptInput = {
  question: {
    text: 'How do I install it? '.repeat(20),
    history: Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: `Turn ${index} [1]. ${'Words of it. '.repeat(20)}`,
    })),
    page: { url: '/guides/page-1', selection: LONG },
  },
  pages: Array.from({ length: 2_000 }, (_, index) => page(index)),
  found: Array.from({ length: 8 }, (_, index) => section(index, LONG)),
  current: { page: page(1), text: LONG },
}

function write(input: PromptInput, settings: Partial<PromptSettings> = {}) {
  const ledger = new SourceLedger()
  const fence = createDataFence('mark')
  const own = { siteName: 'Plants', contextTokens: 32_768, hasTools: true, ...settings }
  const prompt = writePrompt(input, own, { fence, ledger })
  const text = [prompt.system, ...prompt.messages.map((message) => message.text)].join('\n')
  return { ...prompt, text, last: prompt.messages.at(-1)?.text ?? '' }
}

test('a prompt contains the rules, instructions, categories, list of pages, sources and question', () => {
  const { system, last } = write(SMALL, { instructions: 'Say "plant".', categories: ['tax'] })
  expect(system).toContain('Answer only from sources')
  expect(system).toContain('<wishes-mark>\nSay "plant".\n</wishes-mark>')
  expect(system).toContain('one of ["tax"]')
  expect(system).toContain('/guides/page-1 Product › Guides › Page 1: Says how')
  expect(last).toBe(
    '<source-mark number="1" url="/guides/page-1#use" title="Product › Guides › Page 1 › Use">\nUse npm.\n</source-mark>\n\n<question-mark>\nHow do I install it?\n</question-mark>',
  )
})

test('a prompt contains the page that the reader has open and the selected text', () => {
  const question = { ...SMALL.question, page: { url: '/guides/page-1', selection: 'npm' } }
  const { last } = write({ ...SMALL, question, current: { page: page(1), text: 'All of it.' } })
  expect(last).toContain('open="the reader looks at this page">\nAll of it.')
  expect(last).toContain('<selection-mark>\nnpm\n</selection-mark>')
})

describe('a prompt that is too long', () => {
  test.each(
    [2_048, 4_096, 8_192, 32_768, 200_000].flatMap((contextTokens) =>
      [true, false].map((hasTools) => ({ contextTokens, hasTools })),
    ),
  )('a prompt is cut to $contextTokens tokens (tools: $hasTools)', (settings) => {
    const { text, budget, last } = write(LARGE, { ...settings, instructions: LONG })
    const all = estimateTokens(text) + budget.output + budget.tools
    expect(all).toBeLessThanOrEqual(settings.contextTokens)
    // The prompt always contains a part of the best section.
    expect(last).toMatch(/<source-mark number="1"[^>]*>\nA sentence that says something/)
    expect(budget.output).toBeGreaterThan(150)
  })

  test('the newest messages are kept, starting with a question and without source numbers', () => {
    const { messages } = write(LARGE)
    expect(messages[0]?.role).toBe('user')
    expect(messages.at(-2)?.text).toMatch(/^Turn 39\. /)
    expect(messages.length).toBeGreaterThan(10)
    expect(messages.length).toBeLessThan(41)
  })

  test('a map that is too long loses its descriptions first and then its last pages', () => {
    const { system } = write(LARGE)
    expect(system).toContain('/guides/page-1 Product › Guides › Page 1\n')
    expect(system).not.toContain('/guides/page-1999 ')
  })
})

describe('token estimates', () => {
  test('tokens are not underestimated, even in Chinese', () => {
    expect(estimateTokens('a'.repeat(340))).toBe(107)
    expect(estimateTokens('植'.repeat(100))).toBeGreaterThanOrEqual(100)
    for (const text of [LONG, '植物'.repeat(5_000)])
      expect(estimateTokens(truncateToTokens(text, 500))).toBeLessThanOrEqual(505)
    expect(truncateToTokens('short', 500)).toBe('short')
  })

  test('a truncated prompt is detected, but a prompt that needs few tokens is not mistaken for one', () => {
    expect(wasTruncated(LONG, 4_096)).toBe(true)
    expect(wasTruncated(LONG, Math.round(LONG.length / 4.7))).toBe(false)
    expect(wasTruncated('植物'.repeat(5_000), 6_000)).toBe(false)
    expect(wasTruncated('植物'.repeat(5_000), 4_096)).toBe(true)
    expect(wasTruncated(`${' '.repeat(20_000)}x`, 100)).toBe(false)
    expect(wasTruncated('short', 1)).toBe(false)
  })
})
