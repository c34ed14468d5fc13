/** The texts of all emails. They are plain text, so user input cannot contain markup. */
import type { Mail } from './mailer.ts'
import { plainName } from './plain-text.ts'

export function codeMail(
  to: string,
  {
    code,
    link,
    minutes,
  }: { readonly code: string; readonly link: string; readonly minutes: number },
): Mail {
  return {
    to,
    subject: `${code} is your code for Octavo`,
    text: `Your code to sign in is ${code}

Enter it on the page where you requested it. It works once and expires in ${minutes} minutes.

On another device, open this link and press the button:
${link}

If you did not request it, you can ignore this email: nobody can sign in without the code or the link.
`,
  }
}

export type InvitationMail = {
  readonly invitedBy: string
  readonly place: string
  readonly role: string
  readonly link: string
  readonly days: number
}

export function invitationMail(
  to: string,
  { invitedBy, place, role, link, days }: InvitationMail,
): Mail {
  return {
    to,
    subject: `Invitation to “${plainName(place)}” on Octavo`,
    text: `“${plainName(invitedBy)}” invites you to “${plainName(place)}” on Octavo, as ${role}.
The names in quotation marks were chosen by the sender.

Open this link to accept. It works once and expires in ${days} days:
${link}

If you do not know the sender, you can ignore this email.
`,
  }
}

export type NotificationMail = {
  /** The project's name. */
  readonly project: string
  readonly title: string
  readonly text: string
  /** The recommended action for the recipient. */
  readonly advice: string
  /**
   * The URL of the page where the recipient can follow the advice. Like `settingsLink`, which leads
   * to the email settings, it is undefined if the service has no URL.
   */
  readonly link: string | undefined
  readonly settingsLink: string | undefined
  /**
   * True if the address is on the project's notification list, false if it belongs to an owner or
   * admin.
   */
  readonly isListed: boolean
}

/**
 * Creates a notification email. `title`, `text` and `advice` are our own sentences, and any user
 * input in them must already be plain text.
 */
export function notificationMail(to: string, notice: NotificationMail): Mail {
  const { title, text, advice, link, settingsLink, isListed } = notice
  const project = plainName(notice.project)
  const why = isListed
    ? `You receive this email because your address is on the notification list of ${project} on Octavo.
To unsubscribe, ask an owner or admin of ${project} to remove your address`
    : `You receive this email because you are an owner or admin of ${project} on Octavo.
To unsubscribe, turn off email for this kind of notification`
  return {
    to,
    subject: `${project}: ${title}`,
    text: `Project: ${project}

${text}

${advice}
${link === undefined ? '' : `\n${link}\n`}
--
${why}${settingsLink === undefined ? '.' : `:\n${settingsLink}`}
`,
  }
}
