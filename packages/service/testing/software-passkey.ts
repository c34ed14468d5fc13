/** A passkey in memory that responds like an authenticator with a PIN. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

type Options = { readonly challenge: string }

export type SoftwarePasskey = {
  /** Returns the data that a browser sends to register the passkey. */
  readonly register: (options: Options, forgery?: PasskeyForgery) => object
  /** Returns the data that a browser sends to sign in with the passkey. */
  readonly authenticate: (options: Options, forgery?: PasskeyForgery) => object
}

/**
 * Values that a hostile browser or authenticator sends instead of the real ones, with a valid
 * signature.
 */
export type PasskeyForgery = {
  readonly type?: string
  readonly origin?: string
  readonly host?: string
  readonly flags?: number
  readonly counter?: number
  readonly credentialId?: Buffer
  readonly coseKey?: Buffer
  /** Replaces the CBOR in front of the authenticator data: `{fmt, attStmt, authData: …}`. */
  readonly attestation?: Buffer
  /** Additional fields of the response. */
  readonly more?: Readonly<Record<string, unknown>>
}

export function createSoftwarePasskey(origin: string): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownId = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // The public key as a COSE key in CBOR (ES256 on P-256).
  const ownKey = Buffer.concat([
    Buffer.from('a501020326200121', 'hex'),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from('22', 'hex'),
    cborBytes(Buffer.from(y, 'base64url')),
  ])

  const dataOf = (usual: number, forgery: PasskeyForgery) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(forgery.counter ?? 0)
    const host = forgery.host ?? new URL(origin).hostname
    return Buffer.concat([sha256(host), Buffer.from([forgery.flags ?? usual]), counter])
  }
  const clientData = (usual: string, { challenge }: Options, forgery: PasskeyForgery) => {
    const { type = usual, origin: named = origin } = forgery
    return Buffer.from(JSON.stringify({ type, challenge, origin: named, crossOrigin: false }))
  }
  const credentialOf = (
    response: Record<string, Buffer>,
    { more, credentialId = ownId }: PasskeyForgery,
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
    register(options, forgery = {}) {
      const { credentialId = ownId, coseKey = ownKey } = forgery
      const authData = Buffer.concat([
        dataOf(PRESENT_AND_VERIFIED | HAS_CREDENTIAL, forgery),
        Buffer.alloc(16),
        Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
        credentialId,
        coseKey,
      ])
      // {"fmt": "none", "attStmt": {}, "authData": …}
      const attestationObject = Buffer.concat([
        forgery.attestation ?? NO_ATTESTATION,
        cborBytes(authData),
      ])
      const clientDataJSON = clientData('webauthn.create', options, forgery)
      return credentialOf({ attestationObject, clientDataJSON }, forgery)
    },
    authenticate(options, forgery = {}) {
      const authenticatorData = dataOf(PRESENT_AND_VERIFIED, forgery)
      const clientDataJSON = clientData('webauthn.get', options, forgery)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const signature = sign('sha256', signed, privateKey)
      return credentialOf({ authenticatorData, clientDataJSON, signature }, forgery)
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
