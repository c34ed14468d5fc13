import { GROUP_LENGTH_MAX, GROUPS_MAX } from '@octavo/contract'
import { readGroups } from '../../people/identity/read-claims.ts'

/** Groups as a session can keep them. What does not fit is left out: fewer groups read less. */
export function readReaderGroups(
  claims: Readonly<Record<string, unknown>>,
  name: string,
): readonly string[] {
  const groups = readGroups(claims, name).filter(
    (group) =>
      group !== '' &&
      group.length <= GROUP_LENGTH_MAX &&
      group.isWellFormed() &&
      !group.includes('\0'),
  )
  return [...new Set(groups)].slice(0, GROUPS_MAX)
}
