/** Theme, colors, fonts, logo, background, code blocks. */
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
  dark: optional(hexColor, 'Color of buttons and of what the pointer is over.'),
})

export const logo = byType(
  imagePath,
  shape({
    light: required(imagePath, 'Logo in light mode.'),
    dark: required(imagePath, 'Logo in dark mode.'),
    href: optional(link, 'Where the logo leads; the first page by default.'),
  }),
)

export const favicon = byType(imagePath, lightAndDark(imagePath))

export const appearance = shape({
  default: optional(oneOf(['system', 'light', 'dark']), 'Look before the reader chooses.'),
  strict: optional(flag, 'Readers cannot change it.'),
})

export const background = shape({
  image: optional(byType(imagePath, lightAndDark(imagePath)), 'Image behind the page.'),
  decoration: optional(oneOf(['gradient', 'grid', 'windows']), 'Pattern behind the page.'),
  color: optional(someColors, 'Color behind the page.'),
})

const fontFields = {
  family: required(text(), 'Name of the font.'),
  weight: optional(amount, 'Weight, such as 400.'),
  source: optional(text(), 'Font file: a path or an address.'),
  format: optional(oneOf(['woff', 'woff2']), 'Format of the font file.'),
}
const font = shape(fontFields)

export const fonts = shape({
  ...fontFields,
  family: optional(text(), 'Name of the font for everything.'),
  heading: optional(font, 'Font of headings.'),
  body: optional(font, 'Font of the text.'),
})

/** A Shiki theme; the list grows with Shiki, so the name is checked when code is highlighted. */
const codeTheme = text({ expected: 'the name of a Shiki theme' })

export const STYLES_ARE_LOADED = 'Remove it: every `.css` file of the repository is loaded.'

export const styling = shape(
  {
    eyebrows: optional(oneOf(['breadcrumbs', 'section']), 'What stands above the page title.'),
    codeblocks: optional(
      byType(
        text({ expected: '`system`, `dark` or the name of a Shiki theme' }),
        shape({
          theme: optional(
            byType(codeTheme, lightAndDark(codeTheme)),
            'Shiki theme, or one for each look.',
          ),
          languages: optional(
            shape({ custom: optional(listOf(text()), 'Paths of TextMate grammars.') }),
            'More languages for code blocks.',
          ),
        }),
      ),
      'Look of code blocks.',
    ),
    latex: optional(flag, 'Always load the styles of formulas.'),
  },
  { legacy: { css: STYLES_ARE_LOADED, stylesheet: STYLES_ARE_LOADED } },
)

export const icons = shape({
  library: required(oneOf(ICON_LIBRARIES), 'Library that icon names belong to.'),
})

export const thumbnails = shape({
  appearance: optional(oneOf(['light', 'dark']), 'Look of the preview images.'),
  background: optional(
    withoutEffect(imagePath, 'it is a plain color'),
    'Background of the preview images.',
  ),
  fonts: optional(
    withoutEffect(
      shape({ family: required(text(), 'Name of the font.') }),
      'it is always the same one',
    ),
    'Font of the preview images.',
  ),
})
