/**
 * Measures the cost of vectors: comparing a question with all, and embedding a site's passages.
 * It compares WebAssembly with plain JavaScript. With a built site, all of its passages are
 * embedded, and then those of one edited page.
 *
 *   npm run lab bench/vectors -- [built site] [folder with the model's packages] [--passages 5000]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolder } from '../../packages/cli/src/answers/open-folder.ts'
import { createEmbedder, findModel, VectorFile } from '../../packages/embeddings/src/index.ts'
import { VectorTable } from '../../packages/search/src/answers/vector-table.ts'
import { embeddingTexts } from '../../packages/search/src/index.ts'

const DIMENSIONS = 384
const ROUNDS = 20
/** The goal for comparing 100,000 vectors, in milliseconds. */
const GOAL_MS = 7

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { passages: { type: 'string', default: '5000' } },
})

for (const count of [10_000, 100_000]) {
  const rows = Array.from({ length: count }, randomVector)
  const table = new VectorTable(rows.map((vector, section) => ({ section, vector })))
  const flat = new Int8Array(count * DIMENSIONS)
  for (const [row, vector] of rows.entries()) flat.set(vector, row * DIMENSIONS)
  const question = randomVector()
  const wasm = median(() => void table.compare(question, { sections: count, none: 0 }))
  const plain = median(() => void comparePlainly(flat, question))
  const goal = count === 100_000 ? `, goal ${GOAL_MS} ms` : ''
  console.log(
    `${count.toLocaleString('en')} vectors: WebAssembly ${wasm.toFixed(1)} ms${goal}, plain JavaScript ${plain.toFixed(1)} ms, ${(table.bytes / 1e6).toFixed(0)} MB`,
  )
}
const [siteFolder, modelFolder = '.'] = positionals
if (siteFolder !== undefined) await embedSite(siteFolder)

async function embedSite(folder: string): Promise<void> {
  const deployment = await openFolder(folder)
  const model = await findModel([modelFolder])
  if (deployment === undefined || typeof model === 'string')
    return console.log(typeof model === 'string' ? model : `${folder} is no built site.`)
  const reader = { hasSiteAccess: true, groups: new Set<string>() }
  const all = await embeddingTexts(deployment, { reader })
  const chunks = all.slice(0, Number(values.passages))
  const embedder = createEmbedder(model)
  const work = mkdtempSync(join(tmpdir(), 'octavo-vectors-'))
  const file = new VectorFile(join(work, 'vectors.bin'))
  let peakMb = 0
  const fill = async (texts: readonly string[]) => {
    const started = performance.now()
    const count = await file.fill(texts, embedder, () => {
      peakMb = Math.max(peakMb, childMb())
    })
    return `${count} passages embedded in ${((performance.now() - started) / 1_000).toFixed(1)} s`
  }
  console.log(`${await fill(chunks)}, the process of the model took ${peakMb.toFixed(0)} MB`)
  const edited = chunks.map((text, at) => (at === 100 ? `${text} Edited.` : text))
  console.log(`after an edit of one passage: ${await fill(edited)}`)
  embedder.close()
  rmSync(work, { recursive: true, force: true })
}

/** Returns the peak memory of the child processes, in MB. */
function childMb(): number {
  try {
    const { pid } = process
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const peaks = children.map((child) => {
      const status = readFileSync(`/proc/${child}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024
    })
    return Math.max(0, ...peaks)
  } catch {
    // Only Linux has this file.
    return 0
  }
}

function comparePlainly(vectors: Int8Array, question: Int8Array): Int32Array {
  const sums = new Int32Array(vectors.length / DIMENSIONS)
  for (let row = 0; row < sums.length; row += 1) {
    let sum = 0
    const start = row * DIMENSIONS
    for (let at = 0; at < DIMENSIONS; at += 1)
      sum += (vectors[start + at] as number) * (question[at] as number)
    sums[row] = sum
  }
  return sums
}

function randomVector(): Int8Array {
  return Int8Array.from({ length: DIMENSIONS }, () => Math.round(Math.random() * 254 - 127))
}

function median(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0
}
