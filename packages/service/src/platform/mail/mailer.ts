/** Sends mail through the operator's server. */
import { createTransport } from 'nodemailer'

export type MailSettings = { readonly smtpUrl: string; readonly from: string }

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Mailer = {
  /**
   * Sends mail in the background, so that the duration of a request does not reveal whether mail is
   * sent.
   */
  readonly send: (mail: Mail) => void
  /** Waits until the server accepts the mail; throws if the server does not. */
  readonly deliver: (mail: Mail) => Promise<void>
  /** Connects and signs in to the mail server without sending mail; throws if that fails. */
  readonly greet: () => Promise<void>
  /** Waits for mail that is being sent, then closes the connection. */
  readonly stop: () => Promise<void>
}

const TIMEOUT_MS = 15_000
const SUBJECT_LENGTH_MAX = 150

export function createMailer(
  { smtpUrl, from }: MailSettings,
  onError: (error: unknown) => void,
): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const isSecure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const underWay = new Set<Promise<void>>()
  const deliver = async ({ to, subject, text }: Mail) => {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject: oneLine(subject),
      text,
      // Prevents automatic replies, such as out-of-office messages.
      headers: { 'auto-submitted': 'auto-generated' },
    })
  }
  return {
    deliver,
    greet: async () => {
      await transport.verify()
    },
    send(mail) {
      const sent = deliver(mail)
        .catch(onError)
        .finally(() => underWay.delete(sent))
      underWay.add(sent)
    },
    stop: async () => {
      await Promise.all(underWay)
      transport.close()
    },
  }
}

/** Returns whether the server rejected the address permanently. Other errors may be temporary. */
export function isRejectedAddress(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, SUBJECT_LENGTH_MAX)
}
