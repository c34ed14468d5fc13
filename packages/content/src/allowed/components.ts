const words = (list: string): readonly string[] => list.trim().split(/\s+/)

/** Every component that a page can use without importing it. */
export const COMPONENTS: ReadonlySet<string> = new Set(
  words(`
  Accordion AccordionGroup Badge Banner Note Warning Info Tip Check Danger Callout Card CardGroup Column Columns
  CodeBlock CodeGroup Color Color.Row Color.Item Expandable Frame GitHub.Repo Heading Hero Hero.Action Icon Image Latex
  Link LinkList MDX Mermaid Panel Param ParamField Parameter Preview Prompt RequestExample ResponseExample ResponseField
  Snippet SnippetGroup Stat Steps Step Tabs Tabs.Tab Tab Tile Tooltip Tree Tree.Folder Tree.File FileTree
  FileTree.Folder FileTree.File Update Variation View Visibility`),
)

/** Component props that contain URLs. */
export const ADDRESS_PROPS: ReadonlySet<string> = new Set([
  'href',
  'src',
  'img',
  'url',
  'to',
  'path',
  'darkSrc',
  'lightSrc',
  'poster',
  'icon',
  'image',
  'cta',
])
