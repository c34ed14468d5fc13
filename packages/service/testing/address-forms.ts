/**
 * 60 spellings of hosts in URLs that outbound requests must not reach: loopback, private,
 * link-local and metadata addresses. The spellings of the canary's address lead to a real server.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'

export type AddressForm = { readonly name: string; readonly host: string }

export type Canary = {
  /**
   * An address in 127.0.0.0/8 that no other test uses. Its port is allowed for outbound requests.
   */
  readonly address: string
  readonly port: number
  /** The number of connections since the server started. */
  readonly connections: () => number
  readonly stop: () => void
}

/** Ports that are allowed for outbound requests and do not require root on this machine. */
const PORTS = [8080, 8443]

/**
 * Starts servers on a separate address, and on ::1 if the port is free there. They count the
 * requests that should have been refused.
 */
export async function startCanary(): Promise<Canary> {
  let connections = 0
  const servers: Server[] = []
  const listen = async (host: string, port: number) => {
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    server.listen(port, host)
    await once(server, 'listening')
    servers.push(server)
  }
  const address = `127.77.${process.pid % 250}.${1 + (Math.trunc(process.pid / 250) % 250)}`
  for (const port of PORTS) {
    try {
      await listen(address, port)
    } catch {
      // Another process uses this port on all addresses.
      continue
    }
    await listen('::1', port).catch(() => undefined)
    const stop = () => {
      for (const server of servers) server.close()
    }
    return { address, port, connections: () => connections, stop }
  }
  throw new Error(`The ports ${PORTS.join(' and ')} are taken.`)
}

export function addressForms(canary: string): readonly AddressForm[] {
  const bytes = canary.split('.').map(Number)
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const hex = (value: number) => value.toString(16)
  const groups = `${hex(Math.trunc(number / 65_536))}:${hex(number % 65_536)}`
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const wide = [...canary].map((letter) =>
    letter === '.' ? '。' : String.fromCodePoint(0xff10 + Number(letter)),
  )
  const circled = ['①', '②', '⑦'].join('')
  const forms: readonly (readonly [name: string, host: string])[] = [
    ['dotted', canary],
    ['decimal', String(number)],
    ['hexadecimal', `0x${hex(number)}`],
    ['octal', `0${number.toString(8)}`],
    ['octal bytes', bytes.map((byte) => `0${byte.toString(8)}`).join('.')],
    ['hexadecimal bytes', bytes.map((byte) => `0x${hex(byte)}`).join('.')],
    ['long octal bytes', bytes.map((byte) => `000${byte.toString(8)}`).join('.')],
    ['mixed bases', `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`],
    ['two parts', `${a}.${number % 2 ** 24}`],
    ['three parts', `${a}.${b}.${c * 256 + d}`],
    ['upper-case hexadecimal', `0X${hex(number).toUpperCase()}`],
    ['with a final dot', `${canary}.`],
    ['full-width digits', wide.join('')],
    ['circled digits', `${circled}.${b}.${c}.${d}`],
    ['percent-encoded', canary.replaceAll('.', '%2e')],
    ['percent-encoded digits', `%31${canary.slice(1)}`],
    ['IPv4-mapped', `[::ffff:${canary}]`],
    ['IPv4-mapped groups', `[::ffff:${groups}]`],
    ['IPv4-mapped, written out', `[0:0:0:0:0:ffff:${groups}]`],
    ['IPv4-compatible', `[::${canary}]`],
    ['NAT64', `[64:ff9b::${canary}]`],
    ['local NAT64', `[64:ff9b:1::${canary}]`],
    ['6to4', `[2002:${groups}::1]`],
    ['Teredo', `[2001:0:${groups}::1]`],
    ['ISATAP', `[fe80::5efe:${canary}]`],
    ['IPv6 loopback', '[::1]'],
    ['IPv6 loopback, written out', '[0:0:0:0:0:0:0:1]'],
    ['IPv6 loopback with zeros', '[0000::0001]'],
    ['IPv6 unspecified', '[::]'],
    ['IPv6 link-local', '[fe80::1]'],
    ['IPv6 unique local', '[fd00::1]'],
    ['IPv6 site-local', '[fec0::1]'],
    ['IPv6 multicast', '[ff02::1]'],
    ['IPv6 documentation', '[2001:db8::1]'],
    ['IPv6 discard', '[100::1]'],
    ['IPv6 metadata', '[fd00:ec2::254]'],
    ['first loopback', '127.0.0.1'],
    ['short loopback', '127.1'],
    ['last loopback', '127.255.255.254'],
    ['unspecified', '0.0.0.0'],
    ['zero', '0'],
    ['this network', '0.1.2.3'],
    ['metadata', '169.254.169.254'],
    ['metadata, decimal', '2852039166'],
    ['metadata, mapped', '[::ffff:169.254.169.254]'],
    ['metadata, NAT64', '[64:ff9b::a9fe:a9fe]'],
    ['metadata of tasks', '169.254.170.2'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['private 10', '10.0.0.1'],
    ['private 172', '172.16.0.1'],
    ['private 192', '192.168.0.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['localhost', 'localhost'],
    ['localhost, upper case and dot', 'LOCALHOST.'],
    ['the name of this machine', hostname()],
  ]
  return forms.map(([name, host]) => ({ name, host }))
}
