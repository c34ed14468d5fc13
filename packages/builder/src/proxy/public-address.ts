/**
 * Is this an address of the public internet? What is not known to be public is not: an address is
 * read to its bytes first, so that no way of writing it makes a difference (rule R18).
 */
import { isIPv4, isIPv6 } from 'node:net'

type Range = readonly [first: number, length: number]

/** Of IPv4, all that is for one network, for one machine, for tests, or for nobody. */
const PRIVATE_V4: readonly Range[] = [
  ...range('0.0.0.0', 8),
  ...range('10.0.0.0', 8),
  ...range('100.64.0.0', 10),
  ...range('127.0.0.0', 8),
  ...range('169.254.0.0', 16),
  ...range('172.16.0.0', 12),
  ...range('192.0.0.0', 24),
  ...range('192.0.2.0', 24),
  ...range('192.31.196.0', 24),
  ...range('192.52.193.0', 24),
  ...range('192.88.99.0', 24),
  ...range('192.168.0.0', 16),
  ...range('192.175.48.0', 24),
  ...range('198.18.0.0', 15),
  ...range('198.51.100.0', 24),
  ...range('203.0.113.0', 24),
  ...range('224.0.0.0', 4),
  ...range('240.0.0.0', 4),
]

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(numberOf(address))
  return isIPv6(address) && !address.includes('%') && isPublicV6(groupsOf(address))
}

function range(address: string, length: number): readonly Range[] {
  return [[numberOf(address), length]]
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function isPublicV4(number: number): boolean {
  return !PRIVATE_V4.some(([first, length]) => {
    const size = 2 ** (32 - length)
    return number >= first && number < first + size
  })
}

/** Global unicast is 2000::/3; what carries an IPv4 address inside, or is for tests, is taken out. */
function isPublicV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  if (first < 0x2000 || first > 0x3fff) return false
  // 6to4, and 3fff::/20 for documentation.
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return false
  // 2001::/23 holds Teredo, benchmarking and the like; 2001:db8::/32 is for documentation.
  return !(first === 0x2001 && (second < 0x0200 || second === 0x0db8))
}

/** Eight numbers, however it is written. */
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
