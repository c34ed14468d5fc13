import { describe, expect, test } from 'vitest'
import { isSafeFrame, isSafeImage, isSafeLink } from './safe-url.ts'

describe('links', () => {
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
  ])('the link %j is allowed', (url) => {
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
  ])('the link %j is rejected', (url) => {
    expect(isSafeLink(url)).toBe(false)
  })
})

describe('images', () => {
  test.each(['/a.png', 'https://example.com/a.png', 'data:image/png;base64,AA=='])(
    'the image URL %j is allowed',
    (url) => {
      expect(isSafeImage(url)).toBe(true)
    },
  )

  test.each(['mailto:a', 'data:text/html,a', ' data:image/png,a', 'javascript:x', 'blob:x'])(
    'the image URL %j is rejected',
    (url) => {
      expect(isSafeImage(url)).toBe(false)
    },
  )
})

describe('iframes', () => {
  test.each(['/demo', 'https://example.com'])('the iframe URL %j is allowed', (url) => {
    expect(isSafeFrame(url)).toBe(true)
  })

  test.each(['http://example.com', 'data:text/html,a', 'data:image/png,a', 'javascript:x'])(
    'the iframe URL %j is rejected',
    (url) => {
      expect(isSafeFrame(url)).toBe(false)
    },
  )
})
