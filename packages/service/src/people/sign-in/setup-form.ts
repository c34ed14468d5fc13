import { displayName } from '@octavo/contract'
import { z } from 'zod'
import { slugOf } from '../organizations/slugs.ts'
import type { FirstOwner } from '../users/store.ts'

const EMAIL_LENGTH_MAX = 254

const SetupForm = z.object({
  name: displayName('Enter your name.'),
  email: z
    .email({ error: 'Enter an e-mail address, such as amara@example.com.' })
    .max(EMAIL_LENGTH_MAX)
    .toLowerCase(),
  organization: displayName('Enter the name of your organization.'),
  project: displayName('Enter the name of the first project.'),
})
type Field = keyof z.infer<typeof SetupForm>

type SetupFields = Readonly<Record<Field, string>>

export type ReadSetup = {
  readonly values: SetupFields
  readonly errors: Partial<Readonly<Record<Field, string>>>
  /** Undefined while there are errors. */
  readonly owner: FirstOwner | undefined
}

/** Returns the typed values and all errors in them. */
export function readSetupForm(form: URLSearchParams | undefined): ReadSetup {
  const value = (name: Field) => (form?.get(name) ?? '').trim()
  const values = {
    name: value('name'),
    email: value('email'),
    organization: value('organization'),
    project: value('project'),
  }
  const read = SetupForm.safeParse(values)
  if (read.success)
    return { values, errors: {}, owner: { ...read.data, slug: slugOf(read.data.project) } }
  const errors = Object.fromEntries(
    read.error.issues.map(({ path, message }) => [String(path[0]), message]),
  )
  return { values, errors, owner: undefined }
}
