import { closeSync, openSync, readSync } from 'node:fs'

/** Reads the first bytes of a file, so that large files are as fast as small ones. */
export function readHead(file: string, lengthMax: number): Uint8Array | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // The file was removed since the folder was read.
    return undefined
  }
  try {
    const bytes = Buffer.allocUnsafe(lengthMax)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, lengthMax, 0))
  } finally {
    closeSync(descriptor)
  }
}
