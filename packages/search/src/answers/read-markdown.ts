import type { Reader } from '@octavo/model'
import { countMarkdownFiles, joinMarkdownFiles, markdownPartPath } from '../format/markdown-file.ts'
import { type DeploymentReader, readAs } from './deployment-reader.ts'

export const MARKDOWN_LIMITS = {
  /** Files of one page. A build cuts a page after 50,000 characters; further files are not read. */
  filesMax: 100,
  /** Bytes of one file. A longer one is not read as Markdown. */
  fileBytesMax: 1024 * 1024,
  /** Characters of a page. The rest is not read. */
  charactersMax: 4_000_000,
} as const

/** Files that are read at once. */
const READS_MAX = 16

/** The Markdown of a page by its path, `guides/start`; undefined for a reader who may not see it. */
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
