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

Type it into the page where you asked for it. It works once, for ${minutes} minutes.

On another device, open this link and press the button:
${link}

If you did not ask for it, do nothing: nobody gets in without the code or the link.
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

Open this link to accept. It works once, for ${days} days:
${link}

If you do not know who sent this, do nothing.
`,
  }
}

export type NotificationMail = {
  /** The project's name. */
  readonly project: string
  readonly title: string
  readonly text: string
  /** What the recipient should do. */
  readonly advice: string
  /**
   * The page for the advice, and the page to turn off emails; undefined for a service without a
   * URL.
   */
  readonly link: string | undefined
  readonly settingsLink: string | undefined
  /** True if the address is on the project's list, false if it belongs to an owner or admin. */
  readonly isListed: boolean
}

/**
 * `title`, `text` and `advice` are our own sentences, in which user input is already plain text.
 */
export function notificationMail(to: string, notice: NotificationMail): Mail {
  const { title, text, advice, link, settingsLink, isListed } = notice
  const project = plainName(notice.project)
  const why = isListed
    ? `You get this because your address is on the list of notices of ${project} on Octavo.
To stop it, ask an owner or admin of ${project} to remove your address`
    : `You get this because you are an owner or admin of ${project} on Octavo.
To stop it, turn off e-mail for this kind of notice`
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
