import { describe, expect, test } from 'vitest'
import { isSafeFrame, isSafeImage, isSafeLink } from './safe-url.ts'

describe('a link', () => {
  test.each([
    'start',
    '/start#part',
    'https://example.com',
    'HTTPS://example.com',
    'mailto:a@example.com',
    'tel:+1',
    'vscode:extension/a',
    'localhost:3000/a',
    'localhost:3000',
    'javascript&colon;alert(1)',
  ])('%j may be followed', (url) => {
    expect(isSafeLink(url)).toBe(true)
  })

  test.each([
    'javascript:alert(1)',
    '\u0000javascript:alert(1)',
    'java\tscript:alert(1)',
    'VBScript:x',
    'data:text/html,a',
    'data:image/png;base64,AA==',
    'blob:x',
    'filesystem:x',
    'view-source:x',
    'unknown-scheme:x',
    'localhost:300000/a',
    'localhost:javascript',
  ])('%j may not', (url) => {
    expect(isSafeLink(url)).toBe(false)
  })
})

describe('an image', () => {
  test.each(['/a.png', 'https://example.com/a.png', 'data:image/png;base64,AA=='])(
    '%j may be shown',
    (url) => {
      expect(isSafeImage(url)).toBe(true)
    },
  )

  test.each(['mailto:a', 'data:text/html,a', ' data:image/png,a', 'javascript:x', 'blob:x'])(
    '%j may not',
    (url) => {
      expect(isSafeImage(url)).toBe(false)
    },
  )
})

describe('a page in an iframe', () => {
  test.each(['/demo', 'https://example.com'])('%j may be shown', (url) => {
    expect(isSafeFrame(url)).toBe(true)
  })

  test.each(['http://example.com', 'data:text/html,a', 'data:image/png,a', 'javascript:x'])(
    '%j may not',
    (url) => {
      expect(isSafeFrame(url)).toBe(false)
    },
  )
})
