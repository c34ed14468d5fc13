/**
 * Starts a service with a DNS server and a forwarder at a fixed port, so that custom domains can be
 * requested as if from the internet.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolderStore } from '../src/platform/blobs/folder-store.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { startTestService, type TestService } from './test-service.ts'

export type DomainBench = {
  readonly service: TestService
  readonly dns: DnsServer
  /** The port of the forwarder, at which domains can be requested. */
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a service. `reachable` lists the domains that may resolve to loopback. */
export async function startDomainBench(reachable: readonly string[]): Promise<DomainBench> {
  const dns = await startDnsServer()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-domains-'))
  const sockets = new Set<Socket>()
  let target = 0
  const forwarder = createServer((socket) => {
    const other = connect({ port: target, host: '127.0.0.1' })
    for (const one of [socket, other]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => sockets.delete(one))
    }
    socket.pipe(other).pipe(socket)
  })
  forwarder.listen(0, '127.0.0.1')
  await once(forwarder, 'listening')
  const { port } = forwarder.address() as AddressInfo
  const service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: `http://127.0.0.1:${port}`,
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
    dnsServers: [dns.address],
    allowPrivateHosts: reachable,
  })
  target = service.port
  return {
    service,
    dns,
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      forwarder.close()
      await service.stop()
      await dns.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
