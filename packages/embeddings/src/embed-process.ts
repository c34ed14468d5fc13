/**
 * The child process that runs the model. It receives texts, returns vectors, and ends together with
 * its parent.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type LocalModel, MODEL_FILES } from './find-model.ts'
import { roundVector } from './round-vector.ts'
import { WordPieces } from './word-pieces.ts'

export type EmbedRequest = { readonly id: number; readonly texts: readonly string[] }
export type EmbedReply = { readonly id: number } & (
  | { readonly vectors: readonly Int8Array[] }
  | { readonly error: string }
)

/**
 * The part of onnxruntime-node's types that is used here. The package is not installed at compile
 * time.
 */
type Tensor = { readonly data: Float32Array; readonly dims: readonly number[] }
type Runtime = {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
  readonly InferenceSession: {
    readonly create: (file: string, options: Readonly<Record<string, number>>) => Promise<Session>
  }
}
type Session = {
  readonly run: (
    feeds: Readonly<Record<string, Tensor>>,
  ) => Promise<Readonly<Record<string, Tensor>>>
}

const [runtime = '', folder = ''] = process.argv.slice(2)
const embed = await openModel({ runtime, folder })
process.on('message', (request: EmbedRequest) => void answer(request))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function answer({ id, texts }: EmbedRequest): Promise<void> {
  try {
    const vectors: Int8Array[] = []
    for (const text of texts) vectors.push(await embed(text))
    reply({ id, vectors })
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

function reply(message: EmbedReply): void {
  process.send?.(message)
}

async function openModel(model: LocalModel): Promise<(text: string) => Promise<Int8Array>> {
  const { InferenceSession, Tensor } = createRequire(model.runtime)(model.runtime) as Runtime
  const tokenizer = JSON.parse(readFileSync(join(model.folder, MODEL_FILES.tokenizer), 'utf8')) as {
    readonly model: { readonly vocab: Readonly<Record<string, number>> }
  }
  const pieces = new WordPieces(tokenizer.model.vocab)
  const file = join(model.folder, MODEL_FILES.weights)
  // Texts are processed one at a time on one thread: a batch is slower, and the machine has other
  // work to do.
  const session = await InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  return async (text) => {
    const numbers = BigInt64Array.from(pieces.encode(text), BigInt)
    const tensor = (data: BigInt64Array) => new Tensor('int64', data, [1, data.length])
    const { last_hidden_state: output } = await session.run({
      input_ids: tensor(numbers),
      attention_mask: tensor(new BigInt64Array(numbers.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(numbers.length)),
    })
    if (output === undefined) throw new Error('The model returned no vectors.')
    return meanOf(output)
  }
}

/** Returns the mean of the vectors of all word pieces, quantized to 8 bits. */
function meanOf({ data, dims }: Tensor): Int8Array {
  const size = dims.at(-1) ?? 0
  const sums = new Float64Array(size)
  for (let at = 0; at < data.length; at += 1) {
    const place = at % size
    sums[place] = (sums[place] ?? 0) + (data[at] ?? 0)
  }
  return roundVector(sums)
}
