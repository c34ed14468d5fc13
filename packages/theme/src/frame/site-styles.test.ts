import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'

const NAVIGATION = { navigation: { pages: ['index'] } }
const stylesOf = (written: object) => sampleFrame({ ...NAVIGATION, ...written }).frame.siteStyles()

describe('site styles', () => {
  test("site styles contain the author's colors for light and dark", () => {
    const styles = stylesOf({ colors: { primary: '#0F766E', light: '#2DD4BF', dark: '#115E59' } })
    expect(styles).toContain('--oct-primary:light-dark(#0f766e,#2dd4bf)')
    expect(styles).toContain('--oct-button:#115e59')
    expect(styles).toContain('--oct-on-button:#ffffff')
  })

  test('values that could end a CSS rule are omitted', () => {
    const fonts = { family: 'x";}body{display:none', source: 'https://elsewhere.example/a.woff2' }
    const background = { image: '/a.png");}body{display:none' }
    expect(stylesOf({ fonts, background })).not.toMatch(/display|elsewhere/)
  })

  test('dark code blocks are dark in both themes', () => {
    const rule = '.oct-code,.oct-code-group{color-scheme:dark}'
    expect(stylesOf({ styling: { codeblocks: 'dark' } })).toContain(rule)
    expect(stylesOf({ styling: { codeblocks: 'system' } })).not.toContain(rule)
  })
})

describe('fonts', () => {
  const fonts = { family: 'Brand Sans', source: '/fonts/brand.woff2', format: 'woff2', weight: 400 }

  test('a font file of the repository is served and preloaded', () => {
    const { frame, view } = sampleFrame({ ...NAVIGATION, fonts })
    expect(frame.siteStyles()).toContain(
      '@font-face{font-family:"Brand Sans";src:url("/fonts/brand.woff2");font-weight:400;font-display:optional}',
    )
    expect(frame.renderPage(view('index'))).toContain(
      '<link rel="preload" href="/fonts/brand.woff2" as="font" crossorigin>',
    )
  })

  test.each(['https://fonts.example/a.woff2', '//fonts.example/a.woff2'])(
    'a font on another host is never loaded: %s',
    (source) => {
      const { frame, view } = sampleFrame({ ...NAVIGATION, fonts: { ...fonts, source } })
      expect(frame.siteStyles() + frame.renderPage(view('index'))).not.toContain('fonts.example')
      // The font name is still used, for readers who have the font installed.
      expect(frame.siteStyles()).toContain('--oct-font-body:"Brand Sans",var(--oct-font-default)')
    },
  )
})

describe('background', () => {
  test.each(['gradient', 'grid', 'windows'])(
    'the background decoration `%s` is drawn without an image',
    (decoration) => {
      const styles = stylesOf({ background: { decoration } })
      expect(styles).toContain('body::before')
      expect(styles).not.toContain('url(')
    },
  )

  test('a background may have an image for each theme', () => {
    const styles = stylesOf({ background: { image: { light: '/day.png', dark: '/night.png' } } })
    expect(styles).toContain(':root{--oct-image:url("/day.png")}')
    expect(styles).toContain('[data-theme="dark"]{--oct-image:url("/night.png")}')
  })

  test('the background is plain by default and loads no external image', () => {
    expect(stylesOf({})).not.toContain('body::before')
    expect(stylesOf({ background: { image: 'https://elsewhere.example/a.png' } })).not.toContain(
      'elsewhere',
    )
  })
})

describe('banner', () => {
  const banner = { content: 'News', color: { light: '#ffff00', dark: '#000080' } }

  test('a banner of any color has readable text', () => {
    expect(stylesOf({ banner })).toContain(
      '{background:light-dark(#ffff00,#000080);color:light-dark(#000000,#ffffff)}',
    )
    expect(stylesOf({ banner: { content: 'News' } })).not.toContain('.oct-banner')
  })

  test('a banner can be dismissed only if the author allows it, with a script', () => {
    const page = (banner: object) => {
      const { frame, view } = sampleFrame({ ...NAVIGATION, banner })
      return frame.renderPage(view('index'))
    }
    expect(page({ ...banner, dismissible: true })).toMatch(
      /data-oct="banner" data-key="\w+"><p>News<\/p><button class="oct-dismiss" type="button" hidden data-oct="dismiss" aria-label="Dismiss">/,
    )
    expect(page(banner)).not.toContain('data-oct="dismiss"')
  })

  test("each language's banner has its own key", () => {
    const { frame, view } = sampleFrame({
      banner,
      navigation: {
        languages: [
          { language: 'en', pages: ['index'] },
          { language: 'de', pages: ['de/index'], banner: { ...banner, content: 'Neues' } },
        ],
      },
    })
    const key = (path: string) => /data-key="(\w+)"/.exec(frame.renderPage(view(path)))?.[1]
    expect(key('index')).not.toBe(key('de/index'))
    expect(frame.siteStyles()).toContain(`[data-key="${key('de/index')}"]`)
  })
})

describe('theme switch', () => {
  const page = (appearance: object) => {
    const { frame, view } = sampleFrame({ ...NAVIGATION, appearance })
    return frame.renderPage(view('index'))
  }

  test('the theme switch is hidden until its script has loaded', () => {
    expect(page({ default: 'dark' })).toContain(
      '<button class="oct-theme" type="button" hidden data-oct="theme"',
    )
  })

  test('the theme switch is omitted if readers cannot choose', () => {
    expect(page({ default: 'dark', strict: true })).not.toContain('oct-theme"')
    expect(page({ default: 'dark', strict: true })).toContain('data-theme="dark"')
  })
})

describe('header links', () => {
  const page = (link: object) => {
    const { frame, view } = sampleFrame({ ...NAVIGATION, navbar: { links: [link] } })
    return frame.renderPage(view('index'))
  }

  test('a header link with only an icon has an accessible name', () => {
    const link = { label: '', icon: 'discord', href: 'https://chat.example' }
    expect(page(link)).toContain('href="https://chat.example" rel="noopener" aria-label="Discord">')
    expect(page({ ...link, label: 'Chat' })).toContain('<span>Chat</span></a>')
    expect(page({ ...link, label: 'Chat' })).not.toContain('aria-label="Discord"')
  })
})
