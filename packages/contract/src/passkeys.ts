/** API schemas for passkeys. */
import { z } from 'zod'

/** Input and output of the browser's WebAuthn functions, as JSON. */
const Credential = z.looseObject({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
})

export const Passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  synced: z
    .boolean()
    .meta({ description: 'Whether a password manager syncs it to more than one device.' }),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const PasskeyList = z.strictObject({
  passkeys: z.array(Passkey),
  recoveryCodesLeft: z.number().int(),
})
export type PasskeyList = z.infer<typeof PasskeyList>

export const PasskeyOptions = z
  .looseObject({ challenge: z.string() })
  .meta({ description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` in the browser.' })

export const PasskeyBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, { error: 'Give the passkey a name.' })
    .max(100)
    .refine((value) => !/\p{Cc}/u.test(value), {
      error: 'Expected a name without control characters.',
    }),
  credential: Credential.meta({
    description: 'The result of `navigator.credentials.create`, converted with its `toJSON`.',
  }),
})

export const RecoveryCodes = z.strictObject({
  codes: z.array(z.string()).meta({ description: 'Shown only once. Each code works once.' }),
})
export const SavedCodesBody = z.strictObject({
  code: z
    .string()
    .max(100)
    .meta({ description: 'One of the codes, as a confirmation. It is not used up.' }),
})

export type RecoveryCodes = z.infer<typeof RecoveryCodes>
