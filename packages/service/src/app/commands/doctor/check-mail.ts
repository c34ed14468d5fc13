import type { MailSettings } from '../../../platform/mail/mailer.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { reasonOf } from '../../../platform/reason-of.ts'
import { type Finding, failed, fine } from './finding.ts'

/** Connects to the mail server and signs in; no mail is sent. */
export async function checkMail(mail: MailSettings): Promise<Finding> {
  const { host } = new URL(mail.smtpUrl)
  const mailer = createMailer(mail, () => {})
  try {
    await mailer.greet()
    return fine('mail', `${host} accepts the connection and the sign-in; no mail was sent`)
  } catch (error) {
    return failed('mail', {
      code: 'mail-failed',
      found: `${host}: ${reasonOf(error)}`,
      hint: 'Check that the mail server runs, and check the host, port, user and password in OCTAVO_SMTP_URL.',
    })
  } finally {
    await mailer.stop()
  }
}
