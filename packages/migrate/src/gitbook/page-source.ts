/** Reads the pages of a GitBook space. */
import { readFrontmatter } from '../folder/read-yaml.ts'
import { asValues, type Values } from '../site/values.ts'
import type { Space } from './find-spaces.ts'
import { type Anchor, readAnchors } from './heading-anchors.ts'

export type PageSource = {
  /** The path in the folder. */
  readonly file: string
  readonly space: Space
  /** The path of the new page. */
  readonly path: string
  readonly meta: Values
  readonly written: string
  readonly body: string
  readonly anchors: readonly Anchor[]
  /** The first heading of level one. */
  readonly heading: string | undefined
  /** Values of `vars` in the frontmatter. */
  readonly variables: Values
}

export function readPageSource(
  { file, space }: { readonly file: string; readonly space: Space },
  written: string,
): PageSource {
  const { meta, body } = readFrontmatter(file, written)
  const anchors = readAnchors(body)
  const [first] = anchors
  return {
    file,
    space,
    path: pagePathOf(file, space),
    meta,
    written,
    body,
    anchors,
    heading: first?.isTitle === true ? first.text : undefined,
    variables: asValues(meta.vars),
  }
}

/** Returns the path of the page that a file becomes: GitBook shows it at the path of the file. */
function pagePathOf(file: string, { root, prefix, readme }: Space): string {
  const inside = root === '' ? file : file.slice(root.length + 1)
  const name =
    file === readme
      ? 'index'
      : inside.replace(/\.(?:md|markdown)$/i, '').replace(/(^|\/)README$/i, '$1index')
  return prefix === '' ? name : `${prefix}/${name}`
}
