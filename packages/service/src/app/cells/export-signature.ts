/**
 * Proves which cell made an export. The manifest has the digest of every file, so its signature
 * covers all of them. Cells of one installation verify each other's exports with their shared
 * OCTAVO_KEY_PEPPER. Other cells verify them with a transfer key that the operator provides to
 * both.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { KeyRing } from '../../platform/secrets/key-ring.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { isKnownPepper, SIGNATURE_FILE, UnusableExport } from './export-manifest.ts'
import { type Archive, readSmallFile } from './read-archive.ts'
import { openSealed, sealText } from './transfer-key.ts'

const SIGNATURE_BYTES_MAX = 10_000
const EXPORT = 'project export signature'
const PURPOSE = `octavo ${EXPORT}`

const Signature = z.strictObject({
  pepper: z.string().regex(/^[\da-f]{64}$/),
  /** The digest of the manifest, encrypted and authenticated with the transfer key. */
  transferKey: z
    .string()
    .regex(/^[\da-f]+$/)
    .nullable(),
})
type Signature = z.infer<typeof Signature>

export type SigningKeys = { readonly pepper: PepperRing; readonly transferKey: KeyRing | undefined }

export function signManifest(manifest: Buffer, { pepper, transferKey }: SigningKeys): Signature {
  return {
    pepper: Buffer.from(pepper.sign(EXPORT, manifest), 'base64url').toString('hex'),
    transferKey: transferKey ? sealText(transferKey, digestOf(manifest), PURPOSE) : null,
  }
}

/** Throws unless a trusted cell made the export and it is unchanged. */
export async function checkSignature(archive: Archive, keys: SigningKeys): Promise<void> {
  const { folder, manifest, manifestBytes } = archive
  const bytes = await readSmallFile(folder, SIGNATURE_FILE, SIGNATURE_BYTES_MAX)
  const signature = bytes && parseSignature(bytes.toString('utf8'))
  if (signature !== undefined && isSigned(signature, manifestBytes, keys)) return
  if (signature !== undefined && isKnownPepper(keys.pepper, manifest.pepper))
    throw new UnusableExport(
      `The signature of ${folder} is wrong: the export was changed after it was made. Copy it again, or export again.`,
    )
  throw new UnusableExport(
    `It cannot be verified that one of your cells made ${folder}: it is not signed with the OCTAVO_KEY_PEPPER of this cell. If you operate the other cell too, export with a transfer key that you generated, and import with --key-file and --without-keys. To import an export that someone else made, use --untrusted.`,
  )
}

function isSigned(signature: Signature, manifest: Buffer, keys: SigningKeys): boolean {
  const base64 = Buffer.from(signature.pepper, 'hex').toString('base64url')
  if (keys.pepper.verify(EXPORT, { text: manifest, signature: base64 })) return true
  const { transferKey } = signature
  return (
    transferKey !== null &&
    keys.transferKey !== undefined &&
    openSealed(keys.transferKey, transferKey, PURPOSE) === digestOf(manifest)
  )
}

function parseSignature(text: string): Signature | undefined {
  try {
    return Signature.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
