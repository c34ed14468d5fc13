/**
 * Signs values that a browser stores for a few minutes. The browser can read them but not change
 * them. The service therefore stores nothing for a sign-in that is never completed.
 */
import type { PepperPurpose, PepperRing } from '../../platform/secrets/pepper-ring.ts'

export type Sealer = {
  readonly seal: (value: object, seconds: number) => string
  /** Returns undefined if the value has expired, was changed, or was sealed for another purpose. */
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
