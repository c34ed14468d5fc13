/**
 * Schemas of values that several parts of docs.json share: colors, links, icons, light and dark
 * files.
 */

import {
  byType,
  nameOf,
  oneOf,
  reportInvalid,
  type Schema,
  text,
  wrongType,
} from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'
import { joinPath } from '../text/join-path.ts'
import { isDangerousUrl, schemeOf } from '../text/safe-url.ts'

export const hexColor: Schema<string> = text({
  expected: 'a hex color such as `#0F766E`',
  json: { pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' },
  check: (value) =>
    /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value)
      ? undefined
      : `is "${value}", which is not a hex color`,
  hint: 'Write `#` and three or six hex digits, without transparency.',
})

export const url: Schema<string> = text({
  expected: 'a URL that starts with `https://` or `http://`',
  json: { pattern: '^https?://' },
  check: (value) =>
    /^https?:\/\//i.test(value) && URL.canParse(value)
      ? undefined
      : `is "${value}", which is not a URL`,
  hint: 'Write the full URL, starting with `https://`.',
})

/**
 * A link: a URL, `mailto:`, an anchor, or the path of a page of this site, which starts at the root
 * (`/start`) or is relative (`start`).
 */
export const link: Schema<string> = {
  json: { type: 'string', minLength: 1 },
  expected: 'a link',
  types: ['string'],
  read(node, report) {
    if (node.type !== 'string') return wrongType(report, node, link.expected)
    const value = node.value.trim()
    if (value === '') {
      const hint = 'Write a URL, or a page path such as `/start`.'
      return reportInvalid(report, node, 'value/empty', {
        message: `${nameOf(node)} is empty.`,
        hint,
      })
    }
    const scheme = schemeOf(value)
    if (isDangerousUrl(value)) {
      return reportInvalid(report, node, 'link/unsafe', {
        message: `${nameOf(node)} starts with \`${scheme}:\`, which could run code in the reader's browser.`,
        hint: 'Link to a page or to a URL.',
      })
    }
    if (scheme === undefined && !value.startsWith('//') && joinPath('', value) === undefined) {
      return reportInvalid(report, node, 'link/outside-root', {
        message: `${nameOf(node)} is "${value}", which points outside the documentation folder.`,
        hint: 'Write the path from the root of the documentation, such as `/start`.',
      })
    }
    return value
  },
}

/** Checks whether a link leads to a page or file of the same site. */
export function isInternalLink(href: string): boolean {
  return schemeOf(href) === undefined && !href.startsWith('//') && !href.startsWith('#')
}

const ICON_STYLES = [
  ...(['brands', 'duotone', 'light', 'regular', 'sharp-duotone-solid', 'sharp-light'] as const),
  ...(['sharp-regular', 'sharp-solid', 'sharp-thin', 'solid', 'thin'] as const),
] as const
export const ICON_LIBRARIES = ['fontawesome', 'lucide', 'tabler'] as const
export const iconStyle = oneOf(ICON_STYLES)

export const icon = byType(
  text({ expected: 'the name of an icon, or a path to an image' }),
  shape({
    name: required(text(), 'Name of the icon.'),
    style: optional(iconStyle, 'Font Awesome style.'),
    library: optional(oneOf(ICON_LIBRARIES), 'Library the name belongs to.'),
  }),
)

/** Returns the schema of a pair of files or colors, for light and dark mode. */
export function lightAndDark<Value>(schema: Schema<Value>) {
  return shape({
    light: required(schema, 'In light mode.'),
    dark: required(schema, 'In dark mode.'),
  })
}

export const someColors = shape({
  light: optional(hexColor, 'In light mode.'),
  dark: optional(hexColor, 'In dark mode.'),
})

export const imagePath = text({ expected: 'the path or URL of an image' })
