import { closeSync, openSync, readSync } from 'node:fs'

/** Reads only the first bytes of a file, so that large files take no longer than small ones. */
export function readHead(file: string, lengthMax: number): Uint8Array | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // The file was removed after the folder had been read.
    return undefined
  }
  try {
    const bytes = Buffer.allocUnsafe(lengthMax)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, lengthMax, 0))
  } finally {
    closeSync(descriptor)
  }
}
