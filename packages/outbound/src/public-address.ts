/**
 * Checks whether an address is on the public internet. Addresses are rejected unless they are known
 * to be public. An address is parsed into numbers first, so that its notation makes no difference.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** IPv4 ranges that are private, local, reserved or for tests (RFC 6890). */
const PRIVATE_V4: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The first and last address of each range, as numbers. */
const PRIVATE_V4_RANGES = PRIVATE_V4.map((network) => {
  const [address = '', length = ''] = network.split('/')
  const first = numberOf(address)
  return { first, last: first + 2 ** (32 - Number(length)) - 1 }
})

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(numberOf(address))
  return isIPv6(address) && !address.includes('%') && isPublicV6(groupsOf(address))
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function isPublicV4(number: number): boolean {
  return !PRIVATE_V4_RANGES.some(({ first, last }) => number >= first && number <= last)
}

/**
 * Returns true for addresses in 2000::/3 (global unicast), except ranges for tests or with an
 * embedded IPv4 address.
 */
function isPublicV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  if (first < 0x2000 || first > 0x3fff) return false
  // 2002::/16 is 6to4; 3fff::/20 is for documentation.
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return false
  // 2001::/23 includes Teredo and benchmarking; 2001:db8::/32 is for documentation.
  return !(first === 0x2001 && (second < 0x0200 || second === 0x0db8))
}

/** Returns the eight 16-bit groups of an IPv6 address in any notation. */
function groupsOf(address: string): readonly number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)]
      .map((group) => group.toString(16))
      .join(':'),
  )
  const [head = '', tail] = plain.split('::')
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const before = read(head)
  const after = tail === undefined ? [] : read(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
