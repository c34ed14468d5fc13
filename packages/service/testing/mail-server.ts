/** A real SMTP server on loopback that stores the received mail. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The message as received. */
  readonly raw: string
  /** All URLs in the text of the message, as a mail scanner would find them. */
  readonly links: readonly string[]
}

export type MailServer = {
  readonly url: string
  readonly received: ReceivedMail[]
  /** Waits for the next mail to an address, and returns it. */
  readonly next: (to: string) => Promise<ReceivedMail>
  readonly stop: () => Promise<void>
}

const USER = { name: 'octavo', password: 'p@ss:word/ of tests' }
const WAIT_MS = 5_000

/**
 * Starts the server. It rejects addresses that begin with `gone@`. Pass a port to replace an
 * earlier server.
 */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === USER.name && password === USER.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('gone@')
        ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
        : done(),
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        received.push(readMail(raw, envelope.rcptTo[0]?.address ?? ''))
        done()
      }, done)
    },
  })
  server.listen(port, '127.0.0.1')
  await once((server as unknown as { server: Server }).server, 'listening')
  const address = (server as unknown as { server: Server }).server.address() as AddressInfo
  const user = `${USER.name}:${encodeURIComponent(USER.password)}`
  return {
    url: `smtp://${user}@127.0.0.1:${address.port}`,
    received,
    async next(to) {
      const end = Date.now() + WAIT_MS
      while (Date.now() < end) {
        const index = received.findLastIndex((mail) => mail.to === to)
        const [mail] = index === -1 ? [] : received.splice(index, 1)
        if (mail !== undefined) return mail
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(`no mail came for ${to}`)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function readMail(raw: string, to: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const quoted = /quoted-printable/i.test(head)
  const body = quoted ? decodeQuoted(rest.join('\r\n\r\n')) : rest.join('\r\n\r\n')
  const subject = decodeWords(/^Subject: (.*(?:\r\n\s.*)*)/m.exec(head)?.[1] ?? '')
  return { to, subject, text: body, raw, links: body.match(/https?:\/\/\S+/g) ?? [] }
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?UTF-8\?Q\?/g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) =>
      decodeQuoted(word.replaceAll('_', ' ')),
    )
}

function decodeQuoted(body: string): string {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
