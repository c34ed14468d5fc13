import { GROUP_LENGTH_MAX, GROUPS_MAX } from '@octavo/contract'
import { readGroups } from '../../people/identity/read-claims.ts'

/**
 * Returns the reader's groups. Groups that a session cannot store are omitted, which is safe
 * because fewer groups mean less access.
 */
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
