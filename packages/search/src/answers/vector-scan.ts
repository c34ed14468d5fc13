/**
 * Computes dot products of one vector with many, in WebAssembly SIMD: eight 8-bit numbers at a time
 * instead of one in JavaScript (`npm run lab bench/vectors`). The module has 188 bytes and is
 * written below as instructions, so it needs no compiler.
 */

/** Rows are padded with zeros to a multiple of this. */
const ROW_STEP = 8

/**
 * Returns the dot product of each row with the question, in row order. The next call overwrites the
 * result.
 */
export type VectorScan = (question: Int8Array) => Int32Array

/**
 * Declares the parts of WebAssembly that this file uses. The official types belong to the DOM
 * library, which this package does not include.
 */
type Runtime = {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, object>>,
  ) => { readonly exports: { readonly scan: Scan } }
}
type Scan = (width: number, question: number, sums: number, end: number) => void

const PAGE_BYTES = 65_536
/** Maximum memory pages: 4 GB, the limit of 32-bit addresses. */
const PAGES_MAX = 65_536
const ALIGNMENT = 16

/** Copies the rows, each of `size` numbers, into the module's memory. */
export function createVectorScan(rows: readonly Int8Array[], size: number): VectorScan {
  const width = alignTo(size, ROW_STEP)
  const question = alignTo(rows.length * width, ALIGNMENT)
  const sums = alignTo(question + width * 2, ALIGNMENT)
  const pages = Math.ceil((sums + rows.length * 4) / PAGE_BYTES)
  if (pages > PAGES_MAX) throw new RangeError(`There are too many vectors: ${rows.length}.`)
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: Runtime })
    .WebAssembly
  const memory = new Memory({ initial: Math.max(1, pages) })
  const { exports } = new Instance(new Module(moduleBytes()), { '': { memory } })
  const vectors = new Int8Array(memory.buffer)
  for (const [row, vector] of rows.entries()) vectors.set(vector.subarray(0, size), row * width)
  return (vector) => {
    new Int16Array(memory.buffer, question, width).set(vector.subarray(0, size))
    exports.scan(width, question, sums, rows.length * width)
    return new Int32Array(memory.buffer, sums, rows.length)
  }
}

const alignTo = (size: number, step: number) => Math.ceil(size / step) * step

const I32 = 0x7f
const V128 = 0x7b
const NO_RESULT = 0x40

/** WebAssembly opcodes by their names in the specification. */
const op = {
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  brIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  i32Store: [0x36, 2, 0],
  i32Const: 0x41,
  i32LessUnsigned: 0x49,
  i32Add: 0x6a,
  v128Load: [0xfd, 0x00, 4, 0],
  v128Load8x8Signed: [0xfd, 0x01, 3, 0],
  v128Const: [0xfd, 0x0c],
  i32x4ExtractLane: [0xfd, 0x1b],
  i32x4Add: [0xfd, 0xae, 0x01],
  i32x4DotI16x8Signed: [0xfd, 0xba, 0x01],
} as const

/** Parameters and local variables of the function, by index. */
const local = {
  width: 0,
  question: 1,
  sums: 2,
  end: 3,
  row: 4,
  at: 5,
  rowEnd: 6,
  total: 7,
} as const
const get = (name: keyof typeof local) => [op.localGet, local[name]]
const set = (name: keyof typeof local) => [op.localSet, local[name]]
const lane = (number: number) => [...get('total'), ...op.i32x4ExtractLane, number]
const move = (name: keyof typeof local, bytes: number) => [
  ...[...get(name), op.i32Const, bytes, op.i32Add],
  op.localSet,
  local[name],
]

/**
 * The function `scan(width, question, sums, end)`: for each row of `width` bytes from 0 to `end`,
 * it stores the dot product with the 16-bit numbers at `question` in the next element of `sums`.
 */
const BODY = [
  ...[...get('row'), ...get('end'), op.i32LessUnsigned, op.if, NO_RESULT],
  ...[op.loop, NO_RESULT],
  ...[...op.v128Const, ...new Array<number>(16).fill(0), ...set('total')],
  ...[...get('row'), ...get('width'), op.i32Add, ...set('rowEnd')],
  ...[...get('question'), ...set('at')],
  ...[op.loop, NO_RESULT],
  ...[...get('row'), ...op.v128Load8x8Signed, ...get('at'), ...op.v128Load],
  ...[...op.i32x4DotI16x8Signed, ...get('total'), ...op.i32x4Add, ...set('total')],
  ...move('at', ROW_STEP * 2),
  ...move('row', ROW_STEP),
  ...[...get('row'), ...get('rowEnd'), op.i32LessUnsigned, op.brIf, 0],
  op.end,
  ...[...get('sums'), ...lane(0), ...lane(1), op.i32Add, ...lane(2), op.i32Add],
  ...[...lane(3), op.i32Add, ...op.i32Store],
  ...move('sums', 4),
  ...[...get('row'), ...get('end'), op.i32LessUnsigned, op.brIf, 0],
  ...[op.end, op.end, op.end],
]

function moduleBytes(): Uint8Array {
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)]
  const section = (id: number, bytes: readonly number[]) => [
    id,
    ...unsigned(bytes.length),
    ...bytes,
  ]
  const code = [2, 3, I32, 1, V128, ...BODY]
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name(''), ...name('memory'), 0x02, 0x00, 0x01]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('scan'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  )
}

/** Encodes a number as LEB128, like all sizes in the format. */
function unsigned(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}
