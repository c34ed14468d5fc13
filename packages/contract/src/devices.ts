/** API schemas for signing in from the command line. */
import { z } from 'zod'

export const DeviceBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({
      description: 'A name by which the person recognizes the device.',
      examples: ['octavo on laptop'],
    }),
})

export const DeviceReply = z.strictObject({
  deviceCode: z
    .string()
    .meta({ description: 'Only for the command line; the person does not see it.' }),
  userCode: z.string().meta({ examples: ['BCDF-GHJK'] }),
  verificationUrl: z.string().meta({ description: 'Where the person types the code.' }),
  expiresInSeconds: z.number().int(),
  intervalSeconds: z
    .number()
    .int()
    .meta({ description: 'How long to wait between two polling requests.' }),
})
export type DeviceReply = z.infer<typeof DeviceReply>

export const DeviceTokenBody = z.strictObject({ deviceCode: z.string().max(100) })

export const DeviceTokenReply = z.strictObject({
  state: z.enum(['pending', 'slow-down', 'denied', 'expired', 'allowed']),
  token: z
    .string()
    .optional()
    .meta({ description: 'Present if the state is `allowed`. It is shown only once.' }),
})
export type DeviceTokenReply = z.infer<typeof DeviceTokenReply>
