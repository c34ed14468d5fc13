/**
 * Secrets travel under a key that the operator gives to both cells: each cell has keys of its own, and no
 * secret is ever on a disk as it is.
 */
import { createKeyRing, KEY_BYTES, type KeyRing } from '../secrets/key-ring.ts'
import { secretContext } from '../secrets/store.ts'
import { UnusableExport } from './export-manifest.ts'

const TRANSFER_KEY = 'transfer'
const CHECK_TEXT = 'octavo'
const checkContext = (projectId: string) => `${projectId} transfer key`

type SecretLine = { readonly name: string; readonly key_id: string; readonly sealed: string }

/** Undefined for a text that is no key. */
export function parseTransferKey(text: string): KeyRing | undefined {
  const trimmed = text.trim()
  const bytes = /^[\w+/]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined
  if (bytes?.length !== KEY_BYTES) return undefined
  return createKeyRing([{ id: TRANSFER_KEY, bytes }])
}

export function sealCheck(ring: KeyRing, projectId: string): string {
  return ring.seal(CHECK_TEXT, checkContext(projectId)).bytes.toString('hex')
}

export function opensCheck(ring: KeyRing, projectId: string, check: string): boolean {
  const sealed = { keyId: TRANSFER_KEY, bytes: Buffer.from(check, 'hex') }
  try {
    return ring.open(sealed, checkContext(projectId)) === CHECK_TEXT
  } catch {
    return false
  }
}

/** The same row, encrypted with another key. */
export function resealLine(
  line: string,
  rings: { readonly from: KeyRing; readonly to: KeyRing },
  projectId: string,
): string {
  const row = JSON.parse(line) as SecretLine
  const context = secretContext(projectId, row.name)
  const bytes = Buffer.from(row.sealed.slice(2), 'hex')
  try {
    const sealed = rings.to.seal(rings.from.open({ keyId: row.key_id, bytes }, context), context)
    return JSON.stringify({
      ...row,
      key_id: sealed.keyId,
      sealed: `\\x${sealed.bytes.toString('hex')}`,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableExport(`The secret "${row.name}" cannot be moved: ${reason}`)
  }
}
