export type RefusalReason =
  | ('ticket' | 'target' | 'origin' | 'scheme' | 'userinfo' | 'port' | 'name' | 'address')
  | ('redirect' | 'size' | 'rate' | 'time' | 'method' | 'unreachable')

const WORDS: Readonly<Record<RefusalReason, readonly [status: number, words: string]>> = {
  ticket: [403, 'The ticket is missing, wrong or too old. Reload the page.'],
  target: [400, 'The target is no address.'],
  origin: [403, 'The target is not a server of a specification of this site.'],
  scheme: [403, 'Only http and https are sent.'],
  userinfo: [403, 'An address must not hold a user name.'],
  port: [403, 'This port is not allowed.'],
  name: [502, 'The name of the target has no address.'],
  address: [403, 'The target is not on the public internet.'],
  redirect: [502, 'The target sends on too often.'],
  size: [413, 'The request is too large.'],
  rate: [429, 'Too many requests. Wait a minute.'],
  time: [504, 'The target took too long.'],
  method: [405, 'Requests are sent with POST.'],
  unreachable: [502, 'The target could not be reached.'],
}

/** Why a request was not sent, or has no answer. It never says what was found inside a network. */
export class ProxyRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(WORDS[reason][1])
    this.reason = reason
  }

  get status(): number {
    return WORDS[this.reason][0]
  }
}
