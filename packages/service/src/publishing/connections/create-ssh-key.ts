/**
 * Creates an ed25519 deploy key in the formats of OpenSSH. They are simple sequences of fields, so
 * no program or library is needed.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'

export type SshKey = {
  /** The key on one line, to paste into the settings of a repository. */
  readonly publicKey: string
  /** The key as a file in the format `openssh-key-v1`, without a passphrase. */
  readonly privateKey: string
}

const TYPE = 'ssh-ed25519'
const BLOCK_BYTES = 8
const LINE_LENGTH = 70
const LENGTH_BYTES = 4

export function createSshKey(comment: string): SshKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const seed = Buffer.from(d, 'base64url')
  const point = Buffer.from(x, 'base64url')
  const publicBlob = Buffer.concat([field(TYPE), field(point)])
  // The format contains this number twice. If it is decrypted with a wrong passphrase, the two
  // differ.
  const check = randomBytes(4)
  const secret = Buffer.concat([
    ...[check, check, field(TYPE), field(point)],
    ...[field(Buffer.concat([seed, point])), field(comment)],
  ])
  const padding = Buffer.from(
    Array.from(
      { length: (BLOCK_BYTES - (secret.length % BLOCK_BYTES)) % BLOCK_BYTES },
      (_, i) => i + 1,
    ),
  )
  const keyCount = Buffer.from([0, 0, 0, 1])
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[field('none'), field('none'), field(''), keyCount],
    ...[field(publicBlob), field(Buffer.concat([secret, padding]))],
  ])
  const lines = file.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []
  return {
    publicKey: `${TYPE} ${publicBlob.toString('base64')} ${comment}`,
    privateKey: [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      ...lines,
      '-----END OPENSSH PRIVATE KEY-----',
      '',
    ].join('\n'),
  }
}

/** Returns the public key of a private key that `createSshKey` created. */
export function publicKeyOf(privateKey: string, comment: string): string {
  const file = Buffer.from(privateKey.replace(/-----[^-]*-----/g, ''), 'base64')
  let at = 'openssh-key-v1\0'.length
  const next = () => {
    const start = at + LENGTH_BYTES
    at = start + file.readUInt32BE(at)
    return file.subarray(start, at)
  }
  // Skip the cipher, the key derivation and its options, then the number of keys.
  for (let skipped = 0; skipped < 3; skipped += 1) next()
  at += LENGTH_BYTES
  return `${TYPE} ${next().toString('base64')} ${comment}`
}

/** Encodes a string or bytes as a field: its length, then its bytes. */
function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
