/**
 * The five checks of a domain: their labels, how they are stored, and their state before the first
 * check.
 */
import { LIGHT_NAMES, type Light, type LightName, type Lights } from '@octavo/contract'
import type { ClaimRow } from './store.ts'

/** A stored check, without its label. Rows from before the field `from` existed do not have it. */
export type StoredLight = Omit<Light, 'label' | 'from'> & {
  readonly from?: string
  /** The certificate's expiry, for the metrics. Kept if a later check cannot read it. */
  readonly endsAt?: string
}
export type StoredLights = Readonly<Record<LightName, StoredLight>>

type ClaimRecord = Pick<ClaimRow, 'name' | 'token'>

export const VALUE_PREFIX = 'octavo-domain='
const LABEL = '_octavo-challenge'

/** The labels on the dashboard and the command line. */
const LIGHT_LABELS: Readonly<Record<LightName, string>> = {
  claimed: 'Claimed',
  resolves: 'Resolves',
  reachesUs: 'Reaches this service',
  certificate: 'Certificate',
  canonical: 'Canonical links',
}

/** The DNS record that proves a claim. */
export const recordOf = ({ name, token }: ClaimRecord) => ({
  type: 'TXT' as const,
  name: `${LABEL}.${name}`,
  value: VALUE_PREFIX + token,
})

export function recordHint(claim: ClaimRecord): string {
  const { name, value } = recordOf(claim)
  return `Add a TXT record: name ${name}, value ${value}`
}

/** Returns the results of the last check, or what to do first. */
export function lightsOf(claim: ClaimRecord & Pick<ClaimRow, 'checks'>): Lights {
  return eachLight((name) => {
    const { from = '', endsAt: _, ...light } = claim.checks?.[name] ?? uncheckedLight(claim, name)
    return { ...light, label: LIGHT_LABELS[name], from }
  })
}

export function eachLight<Value>(lightFor: (name: LightName) => Value): Record<LightName, Value> {
  const entries = LIGHT_NAMES.map((name) => [name, lightFor(name)])
  return Object.fromEntries(entries) as Record<LightName, Value>
}

const uncheckedLight = (claim: ClaimRecord, name: LightName): StoredLight => ({
  state: 'waiting',
  seen: 'Not checked yet.',
  at: null,
  hint: name === 'claimed' ? recordHint(claim) : '',
})
