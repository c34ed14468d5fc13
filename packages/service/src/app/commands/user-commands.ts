import { ROLES } from '@octavo/contract'
import { z } from 'zod'
import { ensureOrganization } from '../../people/organizations/store.ts'
import { addLoginLink, ensureMember, findPerson } from '../../people/users/operator-store.ts'
import type { PersonRow } from '../../people/users/store.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { type CommandInput, required, UsageError } from './arguments.ts'

const LINK_MINUTES = 60

/** `user create`: a person with a role in an organization. The link is the last line. */
export async function createUser(input: CommandInput): Promise<void> {
  const { database, words, options, print } = input
  const email = z.email().safeParse(words[0])
  if (!email.success) throw new UsageError('Expected an e-mail address.')
  const role = ROLES.find((known) => known === (options.role ?? 'owner'))
  if (role === undefined)
    throw new UsageError(`Unknown role "${options.role}". Available: ${ROLES.join(', ')}.`)
  const name = options.name ?? email.data.split('@')[0] ?? email.data
  const organization = await ensureOrganization(
    database,
    required(options.organization, '--organization'),
  )
  const person = await ensureMember(database, { email: email.data, name, role }, organization.id)
  print(`${person.email} is ${role} of ${organization.name}. To sign in, within an hour:`)
  print(await createLink(input, person))
}

/** `login-link`: for somebody who cannot sign in any other way. */
export async function printLoginLink(input: CommandInput): Promise<void> {
  const email = required(input.words[0], 'e-mail address')
  const person = await findPerson(input.database, email)
  if (person === undefined)
    throw new UsageError(`No user has the address ${email}. Create one with \`user create\`.`)
  input.print(`Signs in ${person.email} once, within an hour:`)
  input.print(await createLink(input, person))
}

async function createLink({ database, settings }: CommandInput, person: PersonRow) {
  const { url, pepper } = settings
  if (url === undefined) throw new UsageError('OCTAVO_URL is not set, so links cannot be made.')
  const token = createToken('link')
  await addLoginLink(database, {
    userId: person.id,
    hash: pepper.hash('sign-in link', token),
    minutes: LINK_MINUTES,
  })
  return new URL(`/login/${token}`, url).href
}
