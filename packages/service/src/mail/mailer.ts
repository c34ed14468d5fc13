/** Sends mail through the operator's server. Nobody waits for it: how long it takes would tell whether it is sent. */
import { createTransport } from 'nodemailer'
import type { MailSettings } from '../sign-in/sign-in-settings.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Mailer = {
  readonly send: (mail: Mail) => void
  /** Waits for mail that is on its way. */
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
  return {
    send({ to, subject, text }) {
      const sent = transport
        .sendMail({ from, to: { name: '', address: to }, subject: oneLine(subject), text })
        .then(() => {})
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

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, SUBJECT_LENGTH_MAX)
}
