import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { rotateSecrets } from '../../platform/secrets/store.ts'
import { type CommandInput, UsageError } from './arguments.ts'

/** `secrets rotate`: afterwards the older keys can be taken out of OCTAVO_SECRET_KEYS. */
export async function rotate({ database, settings, print }: CommandInput): Promise<void> {
  if (settings.secretKeys.length === 0) throw new UsageError('OCTAVO_SECRET_KEYS is not set.')
  const ring = createKeyRing(settings.secretKeys)
  const { rotated, failed } = await rotateSecrets(database, ring)
  print(`Encrypted ${rotated} secrets with the key "${ring.currentId}".`)
  for (const line of failed) print(`Not changed: ${line}`)
  if (failed.length > 0) throw new Error(`${failed.length} secrets could not be opened.`)
  print('The other keys in OCTAVO_SECRET_KEYS are no longer needed.')
}
