/**
 * Values that a browser keeps for us for some minutes, which it can read and cannot change. Nothing is
 * stored for somebody who only begins to sign in.
 */
import { createHmac } from 'node:crypto'
import { isSameToken } from './forms.ts'

export type Sealer = {
  readonly seal: (value: object, seconds: number) => string
  /** Nothing for one that is too old, or was changed, or is of another purpose. */
  readonly open: (text: string | undefined) => unknown
}

export function createSealer(
  purpose: string,
  { pepper, now }: { readonly pepper: string; readonly now: () => number },
): Sealer {
  const sign = (body: string) =>
    createHmac('sha256', pepper).update(`sealed ${purpose} ${body}`).digest('base64url')
  return {
    seal(value, seconds) {
      const text = JSON.stringify({ value, endsAt: now() + seconds * 1_000 })
      const body = Buffer.from(text).toString('base64url')
      return `${body}.${sign(body)}`
    },
    open(text) {
      const [body = '', signature = ''] = text?.split('.') ?? []
      if (!isSameToken(signature, sign(body))) return undefined
      const { value, endsAt } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
      return now() < endsAt ? value : undefined
    },
  }
}
