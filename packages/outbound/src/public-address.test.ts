import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

/**
 * The first and last address of each non-public range, with the public neighbors before and after
 * it.
 */
const RANGES: readonly (readonly [before: string, first: string, last: string, after: string])[] = [
  ['', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.31.195.255', '192.31.196.0', '192.31.196.255', '192.31.197.0'],
  ['192.52.192.255', '192.52.193.0', '192.52.193.255', '192.52.194.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['192.175.47.255', '192.175.48.0', '192.175.48.255', '192.175.49.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', ''],
  ['', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  [
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  [
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  [
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '4000::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '',
  ],
]

describe('non-public address ranges', () => {
  test.each(RANGES)(
    'around and in a reserved range, %s is public, %s and %s are not, and %s is public',
    (before, first, last, after) => {
      expect([first, last].map(isPublicAddress)).toEqual([false, false])
      const outside = [before, after].filter((address) => address !== '')
      expect(outside.filter((address) => !isPublicAddress(address))).toEqual([])
    },
  )
})

describe('addresses that embed another address', () => {
  test.each([
    ['IPv4-mapped', '::ffff:8.8.8.8'],
    ['IPv4-mapped in groups', '::ffff:808:808'],
    ['IPv4-compatible', '::8.8.8.8'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::8.8.8.8'],
    ['6to4', '2002:808:808::1'],
    ['Teredo', '2001:0:808:808::1'],
  ])('the %s form of a public address is not public', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00::1'])(
  'the address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each(['', 'localhost', '8.8.8', '2606:4700::1%eth0', '8.8.8.8 '])(
  'the text "%s" is not an address, so it is not public',
  (text) => expect(isPublicAddress(text)).toBe(false),
)
