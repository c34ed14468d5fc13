import { closeSync, openSync, readSync } from 'node:fs'

/** The first bytes of a file, so that a large one costs no more than a small one. */
export function readHead(file: string, lengthMax: number): Uint8Array | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // It is gone since the folder was read.
    return undefined
  }
  try {
    const bytes = Buffer.allocUnsafe(lengthMax)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, lengthMax, 0))
  } finally {
    closeSync(descriptor)
  }
}
