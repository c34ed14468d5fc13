/** The texts of all mail. Plain text: nothing that somebody typed can be more than that. */
import type { Mail } from './mailer.ts'

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
    subject: `${invitedBy} invites you to ${place}`,
    text: `${clean(invitedBy)} invites you to ${clean(place)} on Octavo, as ${role}.

Open this link and press the button to accept. It works once, for ${days} days:
${link}

If you do not know who sent this, do nothing.
`,
  }
}

/** A name is no place for a link or a second paragraph. */
function clean(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/https?:\/\/|www\./gi, '')
    .slice(0, 100)
}
