/** A passkey in memory that responds like an authenticator with a PIN. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

type Options = { readonly challenge: string }

export type SoftwarePasskey = {
  /** Returns what a browser sends to add the passkey. */
  readonly register: (options: Options, lie?: PasskeyLie) => object
  /** Returns what a browser sends to sign in with the passkey. */
  readonly authenticate: (options: Options, lie?: PasskeyLie) => object
}

/** Values that a hostile browser or authenticator sends instead, with a matching signature. */
export type PasskeyLie = {
  readonly type?: string
  readonly origin?: string
  readonly host?: string
  readonly flags?: number
  readonly counter?: number
  readonly credentialId?: Buffer
  readonly coseKey?: Buffer
  /** Replaces the attestation before the data: `{fmt, attStmt, authData: …}` in CBOR. */
  readonly attestation?: Buffer
  /** Additional fields, sent next to the signature. */
  readonly more?: Readonly<Record<string, unknown>>
}

export function createSoftwarePasskey(origin: string): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownId = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // A COSE key in CBOR: ES256 on P-256.
  const ownKey = Buffer.concat([
    Buffer.from('a501020326200121', 'hex'),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from('22', 'hex'),
    cborBytes(Buffer.from(y, 'base64url')),
  ])

  const dataOf = (usual: number, lie: PasskeyLie) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lie.counter ?? 0)
    const host = lie.host ?? new URL(origin).hostname
    return Buffer.concat([sha256(host), Buffer.from([lie.flags ?? usual]), counter])
  }
  const clientData = (usual: string, { challenge }: Options, lie: PasskeyLie) => {
    const { type = usual, origin: named = origin } = lie
    return Buffer.from(JSON.stringify({ type, challenge, origin: named, crossOrigin: false }))
  }
  const credentialOf = (
    response: Record<string, Buffer>,
    { more, credentialId = ownId }: PasskeyLie,
  ) => {
    const id = credentialId.toString('base64url')
    const texts = Object.entries(response).map(([name, value]) => [
      name,
      value.toString('base64url'),
    ])
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { ...Object.fromEntries(texts), ...more },
    }
  }

  return {
    register(options, lie = {}) {
      const { credentialId = ownId, coseKey = ownKey } = lie
      const authData = Buffer.concat([
        dataOf(PRESENT_AND_VERIFIED | HAS_CREDENTIAL, lie),
        Buffer.alloc(16),
        Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
        credentialId,
        coseKey,
      ])
      // {"fmt": "none", "attStmt": {}, "authData": …}
      const attestationObject = Buffer.concat([
        lie.attestation ?? NO_ATTESTATION,
        cborBytes(authData),
      ])
      const clientDataJSON = clientData('webauthn.create', options, lie)
      return credentialOf({ attestationObject, clientDataJSON }, lie)
    },
    authenticate(options, lie = {}) {
      const authenticatorData = dataOf(PRESENT_AND_VERIFIED, lie)
      const clientDataJSON = clientData('webauthn.get', options, lie)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const signature = sign('sha256', signed, privateKey)
      return credentialOf({ authenticatorData, clientDataJSON, signature }, lie)
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const NO_ATTESTATION = Buffer.from(
  'a363666d74646e6f6e656761747453746d74a0686175746844617461',
  'hex',
)

/** Encodes a byte string in CBOR. */
function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}
