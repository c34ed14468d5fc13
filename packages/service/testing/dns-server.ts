/** A small DNS server on loopback, whose records are set by tests. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type DnsServer = {
  /** The address in the format of `OCTAVO_DNS_SERVERS`. */
  readonly address: string
  /** Sets the records of a type for a name. An empty list removes them. */
  readonly set: (type: 'A' | 'TXT', name: string, values: readonly string[]) => void
  /** Sets whether the server responds to all queries with SERVFAIL. */
  readonly fail: (isFailing: boolean) => void
  readonly stop: () => Promise<void>
}

const TYPES = { A: 1, TXT: 16 } as const
const HEADER_BYTES = 12
const SERVFAIL = 2
const NXDOMAIN = 3

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[]>()
  let isFailing = false
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo

  function answerTo(query: Buffer): Buffer {
    const labels: string[] = []
    let at = HEADER_BYTES
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(at + 1)
    const values = records.get(`${type} ${name}`) ?? []
    const isKnown = Object.values(TYPES).some((one) => records.has(`${one} ${name}`))
    const code = isFailing ? SERVFAIL : isKnown ? 0 : NXDOMAIN
    const answers = code === 0 ? values.map((value) => recordOf(type, value)) : []
    const header = Buffer.alloc(HEADER_BYTES)
    query.copy(header, 0, 0, 2)
    // The flags of a response, then the number of questions and answers.
    header.writeUInt16BE(0x81_80 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...answers])
  }

  return {
    address: `127.0.0.1:${port}`,
    set: (type, name, values) => {
      const key = `${TYPES[type]} ${name}`
      if (values.length === 0) records.delete(key)
      else records.set(key, values)
    },
    fail: (value) => {
      isFailing = value
    },
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Encodes a record. Its name is a pointer to the question, which follows the header. */
function recordOf(type: number, value: string): Buffer {
  const data =
    type === TYPES.A
      ? Buffer.from(value.split('.').map(Number))
      : Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')])
  const head = Buffer.alloc(HEADER_BYTES)
  head.writeUInt16BE(0xc0_00 | HEADER_BYTES, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
