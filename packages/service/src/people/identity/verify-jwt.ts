import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'

/** Of tokens that another server signs: never `none`, and nothing where the key is shared. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']

/** What a token has to be. Those without an issuer or an audience say by another claim whom they are for. */
export type JwtRules = Required<
  Pick<JWTVerifyOptions, 'algorithms' | 'requiredClaims' | 'clockTolerance'>
> &
  Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'maxTokenAge'> & {
    /** Of the header, in lower case. */
    readonly types?: readonly string[]
    readonly nowMs: number
  }

/** Throws an error of `jose` for a token that is not accepted. */
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
