/** API schemas for API keys. */

import { z } from 'zod'
import { KEY_KINDS, KEY_SCOPES } from './scopes.ts'

const INSTANT = '2026-01-31T09:30:00.000Z'
const NAME_LENGTH_MAX = 100
const NETWORKS_MAX = 20
const OVERLAP_HOURS_MAX = 30 * 24

export const ApiKey = z.strictObject({
  id: z.string(),
  kind: z.enum(KEY_KINDS),
  name: z.string().meta({ examples: ['Nightly export'] }),
  lastFour: z.string().meta({ description: 'The end of the key.', examples: ['mh17'] }),
  scopes: z.array(z.enum(KEY_SCOPES)),
  allowedFrom: z.array(z.string()).meta({
    description: 'Networks that the key may be used from; any if empty.',
  }),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  createdBy: z
    .string()
    .optional()
    .meta({ description: 'The person, key or operator that created it.' }),
  createdByName: z.string().optional().meta({ description: 'The name of the person or key.' }),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  lastUsedAt: z.string().optional(),
  replaces: z
    .string()
    .optional()
    .meta({ description: 'The id of the key that this key replaces.' }),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyList = z.strictObject({
  keys: z.array(ApiKey),
  nextCursor: z.string().nullable(),
})
export type ApiKeyList = z.infer<typeof ApiKeyList>

export const ApiKeyBody = z.strictObject({
  name: z.string().trim().min(1, { error: 'Give the key a name.' }).max(NAME_LENGTH_MAX),
  kind: z.enum(KEY_KINDS).default('admin'),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1, { error: 'Choose what the key may do.' }).meta({
    description: 'Only scopes that the caller has.',
  }),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .meta({ description: 'Null if it never expires.' }),
  allowedFrom: z
    .array(z.union([z.cidrv4(), z.cidrv6()], { error: 'Expected a network such as 10.0.0.0/8.' }))
    .max(NETWORKS_MAX)
    .default([]),
})
export type ApiKeyBody = z.infer<typeof ApiKeyBody>

export const CreatedApiKey = ApiKey.extend({
  token: z.string().meta({
    description: 'The key, shown only once.',
    examples: ['octavo_adm_…'],
  }),
})
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

export const RotateKeyBody = z.strictObject({
  overlapHours: z
    .number()
    .int()
    .min(0)
    .max(OVERLAP_HOURS_MAX)
    .meta({
      description: 'How long the old key stays valid next to the new one.',
      examples: [168],
    }),
})
