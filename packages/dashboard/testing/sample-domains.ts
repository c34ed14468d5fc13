import { DomainList } from '@octavo/contract'
import { NOW } from './sample-facts.ts'
import type { Samples } from './sample-replies.ts'

const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const DNS = 'DNS servers 192.0.2.53, 198.51.100.53'
const TARGET = 'sensor-docs.sites.greenhouse.example'

export function sampleDomains({ hostile: h, isEmpty }: Omit<Samples, 'role'>): DomainList {
  const light = (label: string, from: string, seen: string) => ({
    label,
    state: 'ok' as const,
    from,
    seen: seen + h,
    at: ago(3),
    hint: '',
  })
  const recordOf = (name: string) => ({
    type: 'TXT' as const,
    name: `_octavo-challenge.${name}`,
    value: `octavo-domain=3f2a91c07be64d5c8a9e10f4b7d2c6a1${h}`,
  })
  const name = `docs.greenhouse.example${h}`
  const served = {
    name,
    state: 'active' as const,
    redirects: false,
    servedUntil: null,
    record: recordOf(name),
    target: TARGET,
    checks: {
      claimed: light('Claimed', DNS, `TXT ${recordOf(name).value}`),
      resolves: light('Resolves', DNS, `CNAME ${TARGET}: 192.0.2.10`),
      reachesUs: light('Reaches this service', 'this service', 'It is answered by this service'),
      certificate: light('Certificate', 'this service', `A valid certificate for ${name}`),
      canonical: {
        ...light('Canonical links', 'this service', `https://${TARGET}/`),
        state: 'waiting' as const,
        hint: `Set the URL in docs.json and deploy again: "seo": { "metatags": { "canonical": "https://${name}" } }`,
      },
    },
  }
  const waiting = {
    ...served,
    name: `www.${name}`,
    state: 'waiting' as const,
    record: recordOf(`www.${name}`),
    checks: {
      claimed: {
        ...light('Claimed', DNS, 'No TXT record (ENOTFOUND)'),
        state: 'problem' as const,
        hint: `Add a TXT record: name ${recordOf(`www.${name}`).name}, value ${recordOf(name).value}`,
      },
      resolves: {
        ...light('Resolves', DNS, 'No address (ENOTFOUND)'),
        state: 'waiting' as const,
        hint: `Add a CNAME record: www.${name} to ${TARGET}.`,
      },
      reachesUs: {
        ...light('Reaches this service', '', 'Not checked.'),
        state: 'waiting' as const,
      },
      certificate: { ...light('Certificate', '', 'Not checked.'), state: 'waiting' as const },
      canonical: { ...light('Canonical links', '', 'Not checked.'), state: 'waiting' as const },
    },
  }
  return DomainList.parse({ domains: isEmpty ? [] : [served, waiting] })
}
