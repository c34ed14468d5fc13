/** Settings for the theme, colors, fonts, logo, background and code blocks. */
import { amount, byType, flag, listOf, oneOf, text, withoutEffect } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'
import { hexColor, ICON_LIBRARIES, imagePath, lightAndDark, link, someColors } from './values.ts'

const THEMES = [
  ...(['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'luma', 'sequoia'] as const),
] as const
export const theme = oneOf(THEMES)

export const colors = shape({
  primary: required(hexColor, 'Main color of the site in light mode.'),
  light: optional(hexColor, 'Main color in dark mode.'),
  dark: optional(hexColor, 'Color of buttons and hover states.'),
})

export const logo = byType(
  imagePath,
  shape({
    light: required(imagePath, 'Logo in light mode.'),
    dark: required(imagePath, 'Logo in dark mode.'),
    href: optional(link, 'URL or page path that the logo links to; the first page by default.'),
  }),
)

export const favicon = byType(imagePath, lightAndDark(imagePath))

export const appearance = shape({
  default: optional(oneOf(['system', 'light', 'dark']), 'Default mode.'),
  strict: optional(flag, 'Hide the switch, so readers cannot change the mode.'),
})

export const background = shape({
  image: optional(byType(imagePath, lightAndDark(imagePath)), 'Background image.'),
  decoration: optional(oneOf(['gradient', 'grid', 'windows']), 'Background pattern.'),
  color: optional(someColors, 'Background color.'),
})

const fontFields = {
  family: required(text(), 'Name of the font.'),
  weight: optional(amount, 'Weight, such as 400.'),
  source: optional(text(), 'Font file: a path or a URL.'),
  format: optional(oneOf(['woff', 'woff2']), 'Format of the font file.'),
}
const font = shape(fontFields)

export const fonts = shape({
  ...fontFields,
  family: optional(text(), 'Name of the font for all text.'),
  heading: optional(font, 'Font of headings.'),
  body: optional(font, 'Font of the text.'),
})

/**
 * The name of a Shiki theme. It is checked when code is highlighted, because the list grows with
 * Shiki.
 */
const codeTheme = text({ expected: 'the name of a Shiki theme' })

const OWN_CODE_COLORS = 'code uses the colors of the site'

const codeWord = text({ expected: '`system`, `dark` or the name of a Shiki theme' })
const otherCodeWord = withoutEffect(codeWord, OWN_CODE_COLORS)
const codeLook: typeof codeWord = {
  ...codeWord,
  read(node, report) {
    const isLook = node.type === 'string' && /^(?:system|dark)$/.test(node.value)
    return (isLook ? codeWord : otherCodeWord).read(node, report)
  },
}

export const STYLES_ARE_LOADED = 'Remove it: pages load every `.css` file in the repository.'

export const styling = shape(
  {
    eyebrows: optional(oneOf(['breadcrumbs', 'section']), 'Text above the page title.'),
    codeblocks: optional(
      byType(
        codeLook,
        shape({
          theme: optional(
            withoutEffect(byType(codeTheme, lightAndDark(codeTheme)), OWN_CODE_COLORS),
            'Shiki theme, or one each for light and dark mode.',
          ),
          languages: optional(
            shape({
              custom: optional(
                withoutEffect(listOf(text()), 'code in these languages is not highlighted'),
                'Paths of TextMate grammars.',
              ),
            }),
            'More languages for code blocks.',
          ),
        }),
      ),
      'Style of code blocks.',
    ),
    latex: optional(flag, 'Always load the styles for math.'),
  },
  { legacy: { css: STYLES_ARE_LOADED, stylesheet: STYLES_ARE_LOADED } },
)

export const icons = shape({
  library: required(oneOf(ICON_LIBRARIES), 'Library that icon names belong to.'),
})

export const thumbnails = shape({
  appearance: optional(oneOf(['light', 'dark']), 'Light or dark preview images.'),
  background: optional(
    withoutEffect(imagePath, 'the background is a plain color'),
    'Background of the preview images.',
  ),
  fonts: optional(
    withoutEffect(
      shape({ family: required(text(), 'Name of the font.') }),
      'the font is always the same',
    ),
    'Font of the preview images.',
  ),
})
