import type { Reader } from '@octavo/model'
import { countMarkdownFiles, joinMarkdownFiles, markdownPartPath } from '../format/markdown-file.ts'
import { type DeploymentReader, readAs } from './deployment-reader.ts'

/** The Markdown of a page by its path, `guides/start`; nothing for a reader who may not see it. */
export async function readMarkdown(
  deployment: DeploymentReader,
  reader: Reader,
  path: string,
): Promise<string | undefined> {
  const read = async (file: string) => {
    const bytes = await readAs(reader, deployment, file)
    return bytes && new TextDecoder().decode(bytes)
  }
  const first = await read(`${path}.md`)
  if (first === undefined) return undefined
  const rest = Array.from({ length: countMarkdownFiles(first) - 1 }, (_, index) =>
    read(markdownPartPath(path, index + 2)),
  )
  const found = (await Promise.all(rest)).filter((part) => part !== undefined)
  return joinMarkdownFiles([first, ...found])
}
