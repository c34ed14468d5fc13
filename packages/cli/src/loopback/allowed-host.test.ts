import { describe, expect, test } from 'vitest'
import { isAllowedHost, isLocalAddress, isLocalHost } from './allowed-host.ts'

describe('allowed Host headers', () => {
  test.each([
    ['127.0.0.1:3000', '127.0.0.1'],
    ['localhost:3000', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
    ['[::1]:3000', '127.0.0.1'],
    ['192.168.1.7:3000', '0.0.0.0'],
    ['laptop.local:3000', 'laptop.local'],
  ])('the host %s is allowed by a server bound to %s', (host, bound) => {
    expect(isAllowedHost(host, bound)).toBe(true)
  })

  test.each([
    ['docs.example.com', '127.0.0.1'],
    ['localhost.example.com:3000', '127.0.0.1'],
    ['127.0.0.1.example.com', '127.0.0.1'],
    ['evil@127.0.0.1', '127.0.0.1'],
    ['laptop.local:3000', '0.0.0.0'],
    ['', '127.0.0.1'],
    [undefined, '127.0.0.1'],
  ])('the host %s is rejected by a server bound to %s', (host, bound) => {
    expect(isAllowedHost(host, bound)).toBe(false)
  })
})

describe('requests from this machine, which may start an editor', () => {
  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])('the host %s is local', (host) => {
    expect(isLocalHost(host)).toBe(true)
  })

  test.each(['192.168.1.7:3000', 'example.com', '127.example.com', undefined])(
    'the host %s is not local',
    (host) => {
      expect(isLocalHost(host)).toBe(false)
    },
  )

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('the address %s is local', (address) => {
    expect(isLocalAddress(address)).toBe(true)
  })

  test.each(['192.168.1.7', '::ffff:10.0.0.1', undefined])(
    'the address %s is not local',
    (address) => {
      expect(isLocalAddress(address)).toBe(false)
    },
  )
})
