/**
 * Signed values that a browser keeps for a few minutes. It can read them but not change them. This
 * way, the service stores no state for sign-ins that were only started.
 */
import type { PepperPurpose, PepperRing } from '../../platform/secrets/pepper-ring.ts'

export type Sealer = {
  readonly seal: (value: object, seconds: number) => string
  /** Undefined if the value has expired, was changed, or was sealed for another purpose. */
  readonly open: (text: string | undefined) => unknown
}

export function createSealer(
  purpose: PepperPurpose,
  { pepper, now }: { readonly pepper: PepperRing; readonly now: () => number },
): Sealer {
  return {
    seal(value, seconds) {
      const text = JSON.stringify({ value, endsAt: now() + seconds * 1_000 })
      const body = Buffer.from(text).toString('base64url')
      return `${body}.${pepper.sign(purpose, body)}`
    },
    open(text) {
      const [body = '', signature = ''] = text?.split('.') ?? []
      if (!pepper.verify(purpose, { text: body, signature })) return undefined
      const { value, endsAt } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
      return now() < endsAt ? value : undefined
    },
  }
}
