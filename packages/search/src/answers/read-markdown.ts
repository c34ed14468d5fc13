import type { Reader } from '@octavo/model'
import { countMarkdownFiles, joinMarkdownFiles, markdownPartPath } from '../format/markdown-file.ts'
import { type DeploymentReader, readAs } from './deployment-reader.ts'

export const MARKDOWN_LIMITS = {
  /**
   * Maximum files per page. A build splits a page after 50,000 characters; further files are not
   * read.
   */
  filesMax: 100,
  /** Maximum bytes per file. Larger files are not read. */
  fileBytesMax: 1024 * 1024,
  /** Maximum characters per page. The rest is not read. */
  charactersMax: 4_000_000,
} as const

/** Maximum concurrent reads. */
const READS_MAX = 16

/**
 * Returns the Markdown of the page at a path such as `guides/start`, or undefined if the reader may
 * not see the page.
 */
export async function readMarkdown(
  deployment: Pick<DeploymentReader, 'read'>,
  reader: Reader,
  path: string,
): Promise<string | undefined> {
  const read = async (file: string) => {
    const bytes = await readAs(reader, deployment, { path: file, ...FILE })
    return bytes && new TextDecoder().decode(bytes)
  }
  const first = await read(`${path}.md`)
  if (first === undefined) return undefined
  const files = [first]
  const count = Math.min(countMarkdownFiles(first), MARKDOWN_LIMITS.filesMax)
  let characters = first.length
  for (let part = 2; part <= count; part += READS_MAX) {
    if (characters > MARKDOWN_LIMITS.charactersMax) break
    const end = Math.min(count + 1, part + READS_MAX)
    const paths = Array.from({ length: end - part }, (_, index) =>
      markdownPartPath(path, part + index),
    )
    for (const text of await Promise.all(paths.map(read))) {
      if (text === undefined) continue
      files.push(text)
      characters += text.length
    }
  }
  return joinMarkdownFiles(files).slice(0, MARKDOWN_LIMITS.charactersMax).toWellFormed()
}

const FILE = { bytesMax: MARKDOWN_LIMITS.fileBytesMax } as const
