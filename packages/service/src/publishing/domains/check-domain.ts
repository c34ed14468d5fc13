/**
 * Runs the five checks of a domain as a reader would see it. Each result says what was found and
 * what to do next.
 */

import { counterpartOf, type DomainCheckName } from '@octavo/contract'
import { type OutboundFailure, printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { eachCheck, recordHint, recordOf, type StoredCheck, VALUE_PREFIX } from './domain-checks.ts'
import { codeOf, type DomainDns } from './domain-dns.ts'
import { createNonce, isReachResponse, reachPathOf } from './reach-answer.ts'
import type { ClaimRow, DomainStore, ProofResult } from './store.ts'

export type DomainCheckDeps = {
  readonly dns: DomainDns
  readonly pepper: PepperRing
  readonly allowPrivateHosts: readonly string[]
  /** The service's base URL. It determines whether domains use TLS and a non-standard port. */
  readonly url: string | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
  /** Called after the state of a claim has changed, before the domain is requested. */
  readonly onChanged: () => Promise<void>
  readonly now: () => number
}

type Seen = Pick<StoredCheck, 'state' | 'seen' | 'hint' | 'endsAt'>

const LIMITS = { totalMsMax: 5_000, bytesMax: 2_000_000 }
const NOT_CHECKED = 'Not checked.'
const CLAIM_FIRST =
  'This is checked once the TXT record is visible and requests reach this service.'
const RESOLVE_FIRST = 'This is checked after the domain resolves.'

export class DomainCheck {
  readonly #deps: DomainCheckDeps
  readonly #usesTls: boolean
  /**
   * The port of the service without TLS, which its custom domains use too; empty for the default
   * port.
   */
  readonly #httpPort: string

  constructor(deps: DomainCheckDeps) {
    const { protocol, port } = new URL(deps.url ?? 'https://localhost')
    this.#deps = deps
    this.#usesTls = protocol === 'https:'
    this.#httpPort = !this.#usesTls && port !== '' ? `:${port}` : ''
  }

  /** Returns the host name of the project's site; empty if the service does not host sites. */
  async targetOf(store: DomainStore): Promise<string> {
    return URL.parse(this.#deps.siteUrlOf(await store.slug()) ?? '')?.hostname ?? ''
  }

  /** Runs all checks of a domain, updates the state of its claim, and stores the results. */
  async check(store: DomainStore, claim: ClaimRow): Promise<void> {
    const { name } = claim
    const claimed = await this.#checkClaimed(store, claim)
    const state = (await store.find(name))?.state
    if (state !== claim.state) await this.#deps.onChanged()
    const target = (await this.targetOf(store)) || 'the host name of your site'
    const resolves = await this.#checkResolves(name, target)
    const reachesUs =
      resolves.state === 'ok' ? await this.#checkReach(name) : notChecked(RESOLVE_FIRST)
    const isReady = state === 'active' && reachesUs.state === 'ok'
    const later = notChecked(CLAIM_FIRST)
    const seen = {
      claimed,
      resolves,
      reachesUs,
      certificate: isReady ? await this.#checkCertificate(claim) : later,
      canonical: isReady ? await this.#checkCanonical(store, claim) : later,
    }
    const at = new Date(this.#deps.now()).toISOString()
    const from = (name: DomainCheckName) =>
      name === 'claimed' || name === 'resolves' ? this.#deps.dns.about : 'this service'
    const checks = eachCheck((name): StoredCheck => {
      const isChecked = seen[name].seen !== NOT_CHECKED
      return { ...seen[name], from: isChecked ? from(name) : '', at }
    })
    await store.saveChecks(name, checks)
  }

  async #checkClaimed(store: DomainStore, claim: ClaimRow): Promise<Seen> {
    const record = recordOf(claim)
    const { dns, now } = this.#deps
    const begun = now()
    const { common, any, failure } = await dns.txt(record.name)
    const result = await store.prove(claim.name, {
      common: tokensOf(common),
      any: tokensOf(any),
      seconds: (now() - begun) / 1_000,
    })
    const values = any.filter(isOurs)
    const seen =
      values.length > 0 ? `TXT ${values.join(', ')}` : `No TXT record (${failure ?? 'empty'})`
    return describeClaim(claim, { result, seen, isSeen: common.includes(record.value) })
  }

  async #checkResolves(name: string, target: string): Promise<Seen> {
    const alias = await this.#deps.dns.alias(name)
    try {
      const addresses = await this.#deps.dns.addresses(name)
      const list = addresses.map(({ address }) => address).join(', ')
      return { state: 'ok', seen: alias === undefined ? list : `CNAME ${alias}: ${list}`, hint: '' }
    } catch (error) {
      return {
        state: 'waiting',
        seen: `No address (${codeOf(error)})`,
        hint: `Add a CNAME record: ${name} to ${target}. At the root of a zone, where DNS allows no CNAME, add an ALIAS record to it, or A and AAAA records with its addresses.`,
      }
    }
  }

  async #checkReach(name: string): Promise<Seen> {
    const nonce = createNonce()
    const url = this.#httpOrigin(name) + reachPathOf(nonce)
    const reply = await this.#get(url)
    const point = `Point ${name} to this service. If there is a proxy or CDN in front of the service, it must forward ${reachPathOf('')} over HTTP, without redirects.`
    if (reply.kind !== 'response') return failed(reply, url, point)
    const text = Buffer.from(reply.bytes.subarray(0, 200)).toString()
    if (reply.status === 200 && isReachResponse(this.#deps.pepper, { name, nonce }, text))
      return {
        state: 'ok',
        seen: `${this.#httpOrigin(name)} reaches this service`,
        hint: '',
      }
    return {
      state: 'problem',
      seen: `Another server answered, with status ${reply.status}`,
      hint: point,
    }
  }

  async #checkCertificate({ name, checks }: ClaimRow): Promise<Seen> {
    if (!this.#usesTls)
      return { state: 'waiting', seen: 'Not checked: this service does not use TLS.', hint: '' }
    const url = `https://${name}${reachPathOf(createNonce())}`
    const reply = await this.#get(url)
    if (reply.kind === 'response') {
      const endsAt = reply.certificateEndsAt?.toISOString()
      const seen = `A valid certificate for ${name}, until ${endsAt?.slice(0, 10)}`
      return { state: 'ok', seen, hint: '', ...(endsAt !== undefined && { endsAt }) }
    }
    const problem = failed(
      reply,
      url,
      'A new certificate takes a minute. If there is none after that, see the log of the server that orders certificates, and the CAA records of the domain.',
    )
    // An expired certificate cannot be read, but its expiry date must stay visible in the metrics.
    const endsAt = checks?.certificate.endsAt
    return { ...problem, ...(endsAt !== undefined && { endsAt }) }
  }

  async #checkCanonical(store: DomainStore, { name, redirects }: ClaimRow): Promise<Seen> {
    const url = `${this.#usesTls ? `https://${name}` : this.#httpOrigin(name)}/`
    const reply = await this.#get(url)
    if (reply.kind !== 'response') return failed(reply, url, '')
    const location = reply.headers.find(([header]) => header.toLowerCase() === 'location')?.[1]
    if (redirects && URL.parse(location ?? '')?.hostname === counterpartOf(name))
      return { state: 'ok', seen: `Redirects to ${counterpartOf(name)}`, hint: '' }
    const canonical = canonicalIn(Buffer.from(reply.bytes).toString())
    const setting = `"seo": { "metatags": { "canonical": "https://${name}" } }`
    const hint = `Set the URL in docs.json and deploy again: ${setting}`
    if (canonical === undefined)
      return { state: 'waiting', seen: `No canonical link (status ${reply.status})`, hint }
    const named = URL.parse(canonical)?.hostname ?? ''
    const others = (await store.list()).filter(({ state }) => state === 'active')
    // If a site has several domains, the canonical URL of all its pages is on one of them.
    if (named === name || others.some((other) => other.name === named))
      return { state: 'ok', seen: canonical, hint: '' }
    const isOfService = this.#usesTls && named === (await this.targetOf(store))
    const again = `Deploy again: pages are built for the first domain of the project that has a certificate. To choose it, set ${setting} in docs.json.`
    return { state: 'waiting', seen: canonical, hint: isOfService ? again : hint }
  }

  #httpOrigin(name: string): string {
    return `http://${name}${this.#httpPort}`
  }

  #get(url: string) {
    const { allowPrivateHosts, dns } = this.#deps
    return requestOutbound({
      url,
      method: 'GET',
      headers: { accept: 'text/html, text/plain' },
      allowPrivateHosts,
      limits: LIMITS,
      resolve: async (host) => [...(await dns.addresses(host))],
    })
  }
}

const notChecked = (hint: string): Seen => ({ state: 'waiting', seen: NOT_CHECKED, hint })

/**
 * Searches each `<link>` tag separately: one expression over a whole page, which an untrusted
 * author wrote, could take quadratic time.
 */
function canonicalIn(html: string): string | undefined {
  for (const [tag] of html.matchAll(/<link\b[^<>]*/gi))
    if (/\brel="?canonical\b/i.test(tag)) return /\bhref="?([^"\s>]+)/i.exec(tag)?.[1]
  return undefined
}

/**
 * Ignores other values, which the owner of the zone can choose: PostgreSQL cannot store every
 * string, and an error would abort the check.
 */
const isOurs = (value: string) => value.startsWith(VALUE_PREFIX) && /^[\x20-\x7e]*$/.test(value)

const tokensOf = (values: readonly string[]) =>
  values.filter(isOurs).map((value) => value.slice(VALUE_PREFIX.length))

function describeClaim(
  claim: ClaimRow,
  found: { readonly result: ProofResult; readonly seen: string; readonly isSeen: boolean },
): Seen {
  const { result, seen, isSeen } = found
  if (result === 'active' && isSeen) return { state: 'ok', seen, hint: '' }
  if (result === 'held')
    return {
      state: 'problem',
      seen,
      hint: `Your record exists, but so does the record of another project that serves this domain. If the domain is yours, delete the other TXT record at ${recordOf(claim).name} and check again.`,
    }
  if (result === 'lost')
    return {
      state: 'problem',
      seen,
      hint: `Another organization proved that the domain is theirs while your record was missing. ${recordHint(claim)}, and remove their record.`,
    }
  const state = result === 'waiting' ? 'waiting' : 'problem'
  return { state, seen, hint: recordHint(claim) }
}

function failed(failure: OutboundFailure, url: string, hint: string): Seen {
  return { state: 'problem', seen: `Not reached: ${printOutboundFailure(failure, url)}`, hint }
}
