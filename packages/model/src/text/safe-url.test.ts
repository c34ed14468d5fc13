import { describe, expect, test } from 'vitest'
import { isDangerousUrl, isInlineImage, schemeOf } from './safe-url.ts'

const CONTROL_CHARACTERS = Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code))
const INVISIBLE_CHARACTERS = [...'\u007f\u00a0\u00ad\u200b\u200e\u2028\u202e\u2060\ufeff']

describe('dangerous URLs', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '  javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'java\r\nscript:alert(1)',
    'javascript\t:alert(1)',
    '\u0001javascript:alert(1)',
    'java\u0000script:alert(1)',
    'javascript://host/%0aalert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:text/html;base64,PHNjcmlwdD4=',
    'data:image/svg+xml,<svg/>',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'filesystem:https://example.com/temporary/a.html',
    'view-source:javascript:alert(1)',
  ])('the URL %j is dangerous', (url) => {
    expect(isDangerousUrl(url)).toBe(true)
  })

  test('a character that browsers skip does not hide a dangerous scheme', () => {
    for (const skipped of [...CONTROL_CHARACTERS, ...INVISIBLE_CHARACTERS]) {
      for (const at of [0, 4, 'javascript'.length]) {
        const url = `${'javascript'.slice(0, at)}${skipped}${'javascript'.slice(at)}:alert(1)`
        expect(isDangerousUrl(url), JSON.stringify(url)).toBe(true)
      }
    }
  })

  test("schemes are parsed the same way as by the platform's URL", () => {
    for (const skipped of CONTROL_CHARACTERS) {
      for (const url of [
        `${skipped}javascript:x`,
        `java${skipped}script:x`,
        `mailto${skipped}:x`,
      ]) {
        const scheme = URL.canParse(url) ? new URL(url).protocol.slice(0, -1) : undefined
        if (scheme !== undefined) expect(schemeOf(url), JSON.stringify(url)).toBe(scheme)
      }
    }
  })
})

describe('safe URLs', () => {
  test.each([
    '',
    '/start',
    '#part',
    '?query=a:b',
    './javascript:alert(1)',
    '/javascript:alert(1)',
    'https://example.com/?to=javascript:alert(1)',
    'mailto:javascript@example.com',
    'guides/javascript',
    'javascript',
    // A URL has no HTML character references: a page escapes this text as `javascript&amp;colon;`.
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'javascript%3Aalert(1)',
    'javascript\uff1aalert(1)',
  ])('the URL %j is not dangerous', (url) => {
    expect(isDangerousUrl(url)).toBe(false)
  })
})

describe('inline images', () => {
  test.each(['data:image/png;base64,AA==', 'DATA:image/svg+xml,<svg/>', 'data:image/webp,a'])(
    'the URL %j is an inline image',
    (url) => {
      expect(isInlineImage(url)).toBe(true)
    },
  )

  test.each(['data:text/html,a', 'data:image/svg+xmlx,a', ' data:image/png,a', 'data:image/png'])(
    'the URL %j is not an inline image',
    (url) => {
      expect(isInlineImage(url)).toBe(false)
    },
  )
})
