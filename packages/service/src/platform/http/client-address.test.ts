import { describe, expect, test } from 'vitest'
import { createFindClientAddress } from './client-address.ts'

describe('the client address', () => {
  const find = createFindClientAddress(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1/32'])

  test.each([
    // The connection is not from a trusted proxy, so its forwarded header is ignored.
    ['203.0.113.5', '1.2.3.4', '203.0.113.5'],
    ['203.0.113.5', undefined, '203.0.113.5'],
    ['10.1.1.1', undefined, '10.1.1.1'],
    ['10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['::ffff:10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['2001:db8::9', '2001:db9::1', '2001:db9::1'],
    // A client can write entries only before those of the proxies.
    ['10.1.1.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
    ['10.1.1.1', '9.9.9.9, 1.2.3.4, 10.2.2.2, 192.0.2.1', '1.2.3.4'],
    ['10.1.1.1', '10.2.2.2', '10.1.1.1'],
    ['10.1.1.1', '', '10.1.1.1'],
    [undefined, '1.2.3.4', undefined],
    // These cases cover both ends of a network, and invalid addresses.
    ['10.0.0.0', '1.2.3.4', '1.2.3.4'],
    ['10.255.255.255', '1.2.3.4', '1.2.3.4'],
    ['9.255.255.255', '1.2.3.4', '9.255.255.255'],
    ['11.0.0.0', '1.2.3.4', '11.0.0.0'],
    ['10.1.1.1', '010.2.2.2', '010.2.2.2'],
    ['10.1.1.1', '10.2.2', '10.2.2'],
    ['10.1.1.1', '10.2.2.256', '10.2.2.256'],
    ['10.1.1.1', '10.2.2.2.2', '10.2.2.2.2'],
    ['10.1.1.1', '10.2.2.2:80', '10.2.2.2:80'],
    ['10.1.1.1', 'unknown', 'unknown'],
  ])(
    'for connection %s and X-Forwarded-For %s, the client address is %s',
    (connection, forwarded, expected) => {
      expect(find(connection, forwarded)).toBe(expected)
    },
  )
})
