/** Where the stylesheets are, and their names in the order in which they apply. The builder joins them. */
export const STYLES_FOLDER = new URL('./styles/', import.meta.url)

export const STYLE_FILES: readonly string[] = [
  'tokens.css',
  'base.css',
  'layout.css',
  'menus.css',
  'navigation.css',
  'icons.css',
  'signs.css',
  'content.css',
  'components.css',
  'parts.css',
  'code.css',
  'utilities.css',
  'tabs.css',
  'overlays.css',
  'print.css',
]
