import type { Reader } from '@octavo/model'
import { type DeploymentReader, readAs } from './deployment-reader.ts'

/** The Markdown of a page by its path, `guides/start`; nothing for a reader who may not see it. */
export async function readMarkdown(
  deployment: DeploymentReader,
  reader: Reader,
  path: string,
): Promise<string | undefined> {
  const bytes = await readAs(reader, deployment, `${path}.md`)
  return bytes && new TextDecoder().decode(bytes)
}
