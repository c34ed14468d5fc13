import { readFileSync } from 'node:fs'
import { ProofBody } from '@octavo/contract'
import { printable } from '@octavo/model'

/** Reads a file that `octavo test` wrote. Returns an error message if it is not one. */
export function readProof(file: string, path: string): ProofBody | string {
  let written: unknown
  try {
    written = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing
      ? `The file ${file} does not exist. \`octavo test -o ${file}\` writes it.`
      : `${file} is not a result of \`octavo test\`: it is not JSON.`
  }
  const read = ProofBody.safeParse(written)
  if (read.success) return read.data
  const [first] = read.error.issues
  const place = first?.path.length ? `\`${first.path.join('.')}\`: ` : ''
  return `${file} is not a result of \`octavo test\`: ${printable(place + (first?.message ?? ''))}.`
}
