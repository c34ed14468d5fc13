import { ROLES } from '@octavo/contract'
import { z } from 'zod'
import { ensureOrganization } from '../../people/organizations/store.ts'
import { ensureMember, findPerson } from '../../people/users/operator-store.ts'
import type { PersonRow } from '../../people/users/store.ts'
import { type CommandInput, type CommandTable, oneOf, required, UsageError } from './arguments.ts'
import { createLoginLink } from './login-link.ts'

export const USER_COMMANDS: CommandTable = {
  /**
   * Creates a person with a role in an organization, and prints a sign-in link on the last line.
   */
  async *'user create'(input) {
    const { database, words, options } = input
    const email = z.email().safeParse(words[0])
    if (!email.success) throw new UsageError('Expected an e-mail address.')
    const role = oneOf(
      ROLES,
      options.role ?? 'owner',
      `Unknown role "${options.role}". Available: ${ROLES.join(', ')}.`,
    )
    const name = options.name ?? email.data.split('@')[0] ?? email.data
    const organization = await ensureOrganization(
      database,
      required(options.organization, '--organization'),
    )
    const person = await ensureMember(database, { email: email.data, name, role }, organization.id)
    yield `${person.email} is ${role} of ${organization.name}. To sign in, within an hour:`
    yield await createLink(input, person)
  },

  /** Creates a link for a person who cannot sign in any other way. */
  async *'login-link'(input) {
    const email = required(input.words[0], 'e-mail address')
    const person = await findPerson(input.database, email)
    if (person === undefined)
      throw new UsageError(`No user has the address ${email}. Create one with \`user create\`.`)
    yield `This link signs in ${person.email} once, within an hour:`
    yield await createLink(input, person)
  },
}

async function createLink({ database, settings }: CommandInput, person: PersonRow) {
  const { url, pepper } = settings
  if (url === undefined) throw new UsageError('OCTAVO_URL is not set, so links cannot be created.')
  return createLoginLink(database, person, { url, pepper })
}
