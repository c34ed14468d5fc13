/**
 * The stylesheets and how they are split. All pages share one; the rest is linked only by pages that
 * use it. The parts are few on purpose: each costs a request, and most are smaller than a picture.
 */
import type { LookName } from './theme-looks.ts'

/** Where the files are. The builder minifies and joins them. */
export const STYLES_FOLDER = new URL('../styles/', import.meta.url)

/** In the order in which pages link them. */
export const STYLE_PARTS = [
  ...(['components', 'parts', 'directory', 'side', 'math', 'api', 'search'] as const),
] as const
export type StylePart = (typeof STYLE_PARTS)[number]

/** What every page has: layout, text and code. The look comes last, so that it can change the rest. */
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
  'sidebar.css',
  'contents.css',
  'icons.css',
  'signs.css',
  'content.css',
  'code.css',
  'overlays.css',
]

export const PART_FILES: Readonly<Record<StylePart, readonly string[]>> = {
  components: ['components.css', 'tabs.css'],
  parts: ['parts.css'],
  directory: ['directory.css'],
  side: ['side.css'],
  math: ['math.css'],
  api: ['api.css', 'answer.css', 'playground.css'],
  // Linked by no page: the dialog brings it along.
  search: ['search.css'],
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
  // The gaps around all blocks stand with the first part.
  ...names('Color Color.Row Color.Item Frame GitHub.Repo Prompt', 'components', 'parts'),
  ...names('Tree Tree.Folder Tree.File', 'components', 'parts'),
  ...names('FileTree FileTree.Folder FileTree.File', 'components', 'parts'),
  ...names('Update View Image Mermaid', 'components', 'parts'),
  ...names('Latex', 'math'),
])

function names(list: string, ...parts: StylePart[]): [string, readonly StylePart[]][] {
  return list.split(' ').map((name) => [name, parts])
}

/** The parts that a component needs; one that is not known looks like plain text. */
export function partsOfComponent(name: string): readonly StylePart[] {
  return COMPONENT_PARTS.get(name) ?? []
}
