/** Computes the vectors of a built site, and stores them in its folder. */
import { join } from 'node:path'
import { type Embedder, VectorFile } from '../../../packages/embeddings/src/index.ts'
import {
  type DeploymentReader,
  embeddingTexts,
  type QuestionVectors,
} from '../../../packages/search/src/index.ts'

const READER = { hasSiteAccess: true, groups: new Set<string>() }

export async function embedSite(
  folder: string,
  deployment: DeploymentReader,
  embedder: Embedder,
): Promise<QuestionVectors> {
  const file = new VectorFile(join(folder, '.octavo/answers/vectors.bin'))
  const started = performance.now()
  const count = await file.fill(await embeddingTexts(deployment, { reader: READER }), embedder)
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  if (count > 0) console.log(`${folder}: ${count} passages embedded in ${seconds} s`)
  return {
    of: (chunk) => file.of(chunk),
    embed: async (question) => (await embedder.embed([question]))[0],
  }
}
