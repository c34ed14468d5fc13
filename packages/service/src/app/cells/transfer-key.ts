/**
 * Encrypts secrets during a transfer with a key that the operator provides to both cells, since
 * each cell has its own keys. No secret is ever on disk in plain text.
 */
import { createKeyRing, KEY_BYTES, type KeyRing } from '../../platform/secrets/key-ring.ts'
import { secretContext } from '../../platform/secrets/store.ts'
import { UnusableExport } from './export-manifest.ts'
import type { Row } from './read-archive.ts'

const TRANSFER_KEY = 'transfer'
const CHECK_TEXT = 'octavo'
const checkContext = (projectId: string) => `${projectId} transfer key`

/** Parses a transfer key. Returns undefined if it is malformed. */
export function parseTransferKey(text: string): KeyRing | undefined {
  const trimmed = text.trim()
  const bytes = /^[\w+/]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined
  if (bytes?.length !== KEY_BYTES) return undefined
  return createKeyRing([{ id: TRANSFER_KEY, bytes }])
}

export const sealCheck = (ring: KeyRing, projectId: string): string =>
  sealText(ring, CHECK_TEXT, checkContext(projectId))

export const opensCheck = (ring: KeyRing, projectId: string, check: string): boolean =>
  openSealed(ring, check, checkContext(projectId)) === CHECK_TEXT

export function sealText(ring: KeyRing, text: string, context: string): string {
  return ring.seal(text, context).bytes.toString('hex')
}

/** Decrypts text. Returns undefined if it was encrypted with another key or for another context. */
export function openSealed(ring: KeyRing, sealed: string, context: string): string | undefined {
  try {
    return ring.open({ keyId: TRANSFER_KEY, bytes: Buffer.from(sealed, 'hex') }, context)
  } catch {
    return undefined
  }
}

/** Re-encrypts a row of `secret` with another key. */
export function resealRow(
  row: Row,
  rings: { readonly from: KeyRing; readonly to: KeyRing },
  projectId: string,
): Row {
  const { name, key_id: keyId, sealed } = row
  if (!name || !keyId || !sealed)
    throw new UnusableExport('A secret in the export has no name, key or text. Export it again.')
  const context = secretContext(projectId, name)
  const bytes = Buffer.from(sealed.slice(2), 'hex')
  try {
    const moved = rings.to.seal(rings.from.open({ keyId, bytes }, context), context)
    return { ...row, key_id: moved.keyId, sealed: `\\x${moved.bytes.toString('hex')}` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableExport(`The secret "${name}" cannot be moved: ${reason}`)
  }
}
