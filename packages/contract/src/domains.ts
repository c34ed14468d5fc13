/** API schemas for custom domains. */
import { z } from 'zod'

export const DOMAIN_CHECK_NAMES = [
  'claimed',
  'resolves',
  'reachesUs',
  'certificate',
  'canonical',
] as const
export type DomainCheckName = (typeof DOMAIN_CHECK_NAMES)[number]

/** Adds `www.` to a name, or removes it. */
export const counterpartOf = (name: string) =>
  name.startsWith('www.') ? name.slice('www.'.length) : `www.${name}`

const DomainCheck = z.strictObject({
  label: z.string().meta({ description: 'What is checked.', examples: ['Resolves'] }),
  state: z.enum(['ok', 'waiting', 'problem']),
  from: z.string().meta({
    description:
      'The source of the result: the DNS servers that were asked, or this service. Empty before the first check.',
    examples: ['DNS servers 192.0.2.53, 198.51.100.53'],
  }),
  seen: z
    .string()
    .meta({ description: 'The value that the check found.', examples: ['192.0.2.10'] }),
  at: z
    .string()
    .nullable()
    .meta({
      description: 'When it was checked; null before the first check.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  hint: z.string().meta({ description: 'What to do next; empty when there is nothing to do.' }),
})
export type DomainCheck = z.infer<typeof DomainCheck>

const DomainChecks = z.strictObject({
  claimed: DomainCheck.meta({
    description: 'Whether the TXT record proves that the domain is yours.',
  }),
  resolves: DomainCheck.meta({ description: 'Whether the domain has an IP address.' }),
  reachesUs: DomainCheck.meta({
    description: 'Whether requests to the domain arrive at this service.',
  }),
  certificate: DomainCheck.meta({ description: 'Whether the domain has a valid TLS certificate.' }),
  canonical: DomainCheck.meta({
    description: 'Whether canonical links of the site name the domain.',
  }),
})
export type DomainChecks = z.infer<typeof DomainChecks>

export const Domain = z.strictObject({
  name: z.string().meta({ examples: ['docs.example.com'] }),
  state: z.enum(['waiting', 'active', 'missing', 'lapsed', 'lost']).meta({
    description:
      '`waiting`: the TXT record was not found yet. `active`: the site is served. `missing`: the record is missing, and the site is served until `servedUntil`. `lapsed`: the record was missing for 7 days. `lost`: another organization proved that the domain is theirs.',
  }),
  redirects: z.boolean().meta({
    description: 'Whether readers are redirected to the domain with `www.`, or without it.',
  }),
  servedUntil: z
    .string()
    .nullable()
    .meta({
      description: 'When the site stops being served, if the TXT record is still missing.',
      examples: ['2026-02-07T09:30:00.000Z'],
    }),
  record: z
    .strictObject({
      type: z.literal('TXT'),
      name: z.string().meta({ examples: ['_octavo-challenge.docs.example.com'] }),
      value: z.string().meta({ examples: ['octavo-domain=3f2a91c07be64d5c8a9e10f4b7d2c6a1'] }),
    })
    .meta({ description: 'The DNS record that proves that the domain is yours. Keep it.' }),
  target: z.string().meta({
    description:
      'The host name of the site, the target of the CNAME record. Empty if the operator hosts no sites.',
    examples: ['plants.sites.example.net'],
  }),
  checks: DomainChecks,
})
export type Domain = z.infer<typeof Domain>

export const DomainList = z.strictObject({ domains: z.array(Domain) })
export type DomainList = z.infer<typeof DomainList>

export const DomainBody = z.strictObject({
  name: z.string().meta({
    description: 'The domain to add: a host name, or the URL of its first page.',
    examples: ['docs.example.com'],
  }),
})

export const DomainChange = z.strictObject({
  redirects: z.boolean().meta({
    description:
      'Redirects readers to the domain with `www.`, or without it. The project must have both.',
  }),
})
export type DomainChange = z.infer<typeof DomainChange>
