/**
 * The stylesheets and how they are split. All pages share the base styles; the other parts are
 * linked only by pages that use them. There are few parts on purpose: each costs a request, and
 * most are smaller than an image.
 */
import type { LookName } from './theme-looks.ts'

/** The folder of the stylesheets. The builder minifies and joins them. */
export const STYLES_FOLDER = new URL('../styles/', import.meta.url)

/** The names of the parts, in the order of the links. */
export const STYLE_PARTS = [
  ...(['components', 'parts', 'home', 'directory', 'side', 'math', 'api', 'search'] as const),
] as const
export type StylePart = (typeof STYLE_PARTS)[number]

/**
 * Returns the styles of every page: layout, text and code. The look comes last, so that it can
 * override the others.
 */
export function baseStyleFiles(look: LookName): readonly string[] {
  return [...BASE_FILES, `look-${look}.css`, 'print.css']
}

const BASE_FILES: readonly string[] = [
  'typeface.css',
  'tokens.css',
  'base.css',
  'layout.css',
  'menus.css',
  'navigation.css',
  'header.css',
  'sidebar.css',
  'contents.css',
  'icons.css',
  'signs.css',
  'content.css',
  'code.css',
  'overlays.css',
]

const PART_FILES: Readonly<Record<StylePart, readonly string[]>> = {
  components: ['components.css', 'tabs.css'],
  parts: ['parts.css'],
  home: ['home.css', 'home-parts.css'],
  directory: ['directory.css'],
  side: ['side.css'],
  math: ['math.css'],
  api: ['api.css'],
  // No page links this file: the search dialog loads it.
  search: ['search.css'],
}

/** Returns the files of a part. Most looks change callouts and cards. */
export function partStyleFiles(part: StylePart, look: LookName): readonly string[] {
  const files = PART_FILES[part]
  return part === 'components' && look !== 'mint'
    ? [...files, `look-${look}-components.css`]
    : files
}

const COMPONENT_PARTS: ReadonlyMap<string, readonly StylePart[]> = new Map([
  ...names('Note Warning Info Tip Check Danger Callout Banner', 'components'),
  ...names('Card CardGroup Column Columns Tile Steps Step', 'components'),
  ...names('Tabs Tab Tabs.Tab CodeGroup SnippetGroup', 'components'),
  ...names('Accordion AccordionGroup', 'components'),
  ...names('Expandable', 'components', 'parts'),
  ...names('Panel RequestExample ResponseExample', 'components', 'side'),
  ...names('Responses', 'components', 'api'),
  ...names('Param ParamField Parameter ResponseField', 'components', 'parts'),
  ...names('Badge Tooltip Icon', 'parts'),
  // Both parts are needed, since `components` contains the margins around all blocks.
  ...names('Color Color.Row Color.Item Frame GitHub.Repo Prompt', 'components', 'parts'),
  ...names('Tree Tree.Folder Tree.File', 'components', 'parts'),
  ...names('FileTree FileTree.Folder FileTree.File', 'components', 'parts'),
  ...names('Update View Image Mermaid', 'components', 'parts'),
  ...names('Hero Hero.Action LinkList Preview Stat', 'components', 'home'),
  ...names('Latex', 'math'),
])

function names(list: string, ...parts: StylePart[]): [string, readonly StylePart[]][] {
  return list.split(' ').map((name) => [name, parts])
}

/** Returns the parts that a component needs. An unknown component is styled as plain text. */
export function partsOfComponent(name: string): readonly StylePart[] {
  return COMPONENT_PARTS.get(name) ?? []
}
