/**
 * Defines the five checks of a domain: their labels, how their results are stored, and their state
 * before the first check.
 */
import {
  DOMAIN_CHECK_NAMES,
  type DomainCheck,
  type DomainCheckName,
  type DomainChecks,
} from '@octavo/contract'
import type { ClaimRow } from './store.ts'

/**
 * A check as it is stored, without its label. `from` is missing in rows from before this field was
 * added.
 */
export type StoredCheck = Omit<DomainCheck, 'label' | 'from'> & {
  readonly from?: string
  /**
   * The expiry date of the certificate, for the metrics. It is kept if a later check cannot read
   * the certificate.
   */
  readonly endsAt?: string
}
export type StoredChecks = Readonly<Record<DomainCheckName, StoredCheck>>

type ClaimRecord = Pick<ClaimRow, 'name' | 'token'>

export const VALUE_PREFIX = 'octavo-domain='
const LABEL = '_octavo-challenge'

/** The names of the checks on the dashboard and in the command line. */
const CHECK_LABELS: Readonly<Record<DomainCheckName, string>> = {
  claimed: 'Claimed',
  resolves: 'Resolves',
  reachesUs: 'Reaches this service',
  certificate: 'Certificate',
  canonical: 'Canonical links',
}

/** Returns the DNS record that proves a claim. */
export const recordOf = ({ name, token }: ClaimRecord) => ({
  type: 'TXT' as const,
  name: `${LABEL}.${name}`,
  value: VALUE_PREFIX + token,
})

export function recordHint(claim: ClaimRecord): string {
  const { name, value } = recordOf(claim)
  return `Add a TXT record: name ${name}, value ${value}`
}

/** Returns the results of the last check. Before the first check, they say what to do first. */
export function domainChecksOf(claim: ClaimRecord & Pick<ClaimRow, 'checks'>): DomainChecks {
  return eachCheck((name) => {
    const { from = '', endsAt: _, ...check } = claim.checks?.[name] ?? initialCheck(claim, name)
    return { ...check, label: CHECK_LABELS[name], from }
  })
}

export function eachCheck<Value>(
  checkFor: (name: DomainCheckName) => Value,
): Record<DomainCheckName, Value> {
  const entries = DOMAIN_CHECK_NAMES.map((name) => [name, checkFor(name)])
  return Object.fromEntries(entries) as Record<DomainCheckName, Value>
}

const initialCheck = (claim: ClaimRecord, name: DomainCheckName): StoredCheck => ({
  state: 'waiting',
  seen: 'Not checked yet.',
  at: null,
  hint: name === 'claimed' ? recordHint(claim) : '',
})
