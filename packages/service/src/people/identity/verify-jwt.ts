import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'

/** Algorithms for tokens that another server signs: asymmetric ones only, never `none`. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']

/**
 * Requirements for a token. The issuer and audience are optional, since some tokens name their
 * recipient in another claim.
 */
export type JwtRules = Required<
  Pick<JWTVerifyOptions, 'algorithms' | 'requiredClaims' | 'clockTolerance'>
> &
  Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'maxTokenAge'> & {
    /** Accepted values of the `typ` header, in lower case. */
    readonly types?: readonly string[]
    readonly nowMs: number
  }

/** Verifies a token and returns its claims. Throws a `jose` error if the token is not accepted. */
export async function verifyJwt(
  token: string,
  keyOf: JWTVerifyGetKey,
  { types, nowMs, ...rules }: JwtRules,
): Promise<JWTPayload> {
  const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
    ...rules,
    currentDate: new Date(nowMs),
  })
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? ''
  if (types !== undefined && !types.includes(type))
    throw new errors.JWTClaimValidationFailed('unexpected type of token', payload, 'typ')
  return payload
}
