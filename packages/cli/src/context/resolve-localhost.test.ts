import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { resolveLocalhost } from './resolve-localhost.ts'

const { lookup } = dns
afterAll(() => {
  dns.lookup = lookup
})

test('a name below localhost resolves to this machine and stays in the Host header', async () => {
  const server = createServer((request, response) => response.end(request.headers.host))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  resolveLocalhost()
  try {
    const reply = await fetch(`http://octavo.localhost:${port}/`)
    expect(await reply.text()).toBe(`octavo.localhost:${port}`)
  } finally {
    server.close()
  }
})

test('other names are resolved as usual', async () => {
  resolveLocalhost()
  await expect(fetch('http://localhost.octavo.invalid/')).rejects.toThrow('fetch failed')
})
