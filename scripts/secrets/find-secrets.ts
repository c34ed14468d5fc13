/**
 * Finds keys in text by their prefixes. The length of matches is limited, so the time is linear in
 * the length of the text.
 */
import { createHash } from 'node:crypto'
import { KNOWN_SAMPLES } from './known-samples.ts'

export type FoundSecret = {
  readonly line: number
  readonly kind: string
  /** A hash that identifies the key without revealing it. */
  readonly hash: string
}

const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----\s*[A-Za-z0-9+/=\s]{40,400}/g],
  ['key of Octavo', /\boctavo_[a-z]{3}_[A-Za-z0-9]{32,60}\b/g],
  ['key of GitHub', /\b(?:gh[oprsu]_|github_pat_)[A-Za-z0-9_]{30,255}\b/g],
  ['key of GitLab', /\bglpat-[\w-]{20,100}/g],
  ['key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['key of Google', /\bAIza[\w-]{35}\b/g],
  ['key of Slack', /\bxox[abeoprs]-[\w-]{20,300}/g],
  ['key of Stripe', /\b(?:sk|rk)_live_[A-Za-z0-9]{20,200}\b/g],
  ['key of a model provider', /\bsk-(?:proj|ant|svcacct|or)-[\w-]{24,300}/g],
  ['key of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['signed token', /\beyJ[\w-]{16,4000}\.eyJ[\w-]{16,8000}\.[\w-]{30,2000}/g],
]
const HASH_LENGTH = 12

export function findSecrets(
  text: string,
  known: ReadonlySet<string> = KNOWN_SAMPLES,
): readonly FoundSecret[] {
  return KINDS.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].flatMap(({ 0: key, index }) => {
      const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_LENGTH)
      if (known.has(hash)) return []
      return [{ line: text.slice(0, index).split('\n').length, kind, hash }]
    }),
  )
}
