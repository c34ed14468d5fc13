import { describe, expect, test } from 'vitest'
import { isAllowedHost, isLocalAddress, isLocalHost } from './allowed-host.ts'

describe('which names the server answers to', () => {
  test.each([
    ['127.0.0.1:3000', '127.0.0.1'],
    ['localhost:3000', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
    ['[::1]:3000', '127.0.0.1'],
    ['192.168.1.7:3000', '0.0.0.0'],
    ['laptop.local:3000', 'laptop.local'],
  ])('%s, bound to %s, is answered', (host, bound) => {
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
  ])('%s, bound to %s, is refused', (host, bound) => {
    expect(isAllowedHost(host, bound)).toBe(false)
  })
})

describe('who may start an editor', () => {
  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])('%s is this machine', (host) => {
    expect(isLocalHost(host)).toBe(true)
  })

  test.each(['192.168.1.7:3000', 'example.com', '127.example.com', undefined])(
    '%s is not',
    (host) => {
      expect(isLocalHost(host)).toBe(false)
    },
  )

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('%s asks from here', (address) => {
    expect(isLocalAddress(address)).toBe(true)
  })

  test.each(['192.168.1.7', '::ffff:10.0.0.1', undefined])('%s does not', (address) => {
    expect(isLocalAddress(address)).toBe(false)
  })
})
