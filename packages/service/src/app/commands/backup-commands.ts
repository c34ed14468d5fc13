/** Commands for backup and repair: `backup`, `restore`, `blobs` and `secrets`. */

import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openBlobStore } from '../../platform/blobs/open-blob-store.ts'
import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { rotateSecrets } from '../../platform/secrets/store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { collectBlobs } from '../../publishing/deployments/collect-blobs.ts'
import { BackupFailed } from '../backup/backup-fault.ts'
import { checkBlobs } from '../backup/check-blobs.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { type CommandInput, type CommandTable, required, UsageError } from './arguments.ts'

export const BACKUP_COMMANDS: CommandTable = {
  async *backup({ settings, words, now, print }) {
    const path = required(words[0], 'folder')
    const blobs = settings.blobs && (await openBlobStore(settings.blobs))
    const { ownerUrl, pepper } = settings
    const { folder, faults } = await makeBackup(path, { ownerUrl, pepper, blobs, now, print })
    yield folder
    if (faults.length > 0)
      throw new BackupFailed(
        faults,
        'The backup is complete except for files that are missing from the store:\n',
      )
  },

  async *restore({ settings, words, options, print }) {
    const path = required(words[0], 'folder')
    const { ownerUrl, databaseUrl, pepper, secretKeys } = settings
    const faults = await restoreBackup(path, {
      ownerUrl,
      serviceUrl: ownerUrl === databaseUrl ? undefined : databaseUrl,
      pepper,
      secretKeys,
      blobs: settings.blobs && (await openBlobStore(settings.blobs)),
      isPartial: options.partial === true,
      print,
    })
    if (faults.length > 0) throw new BackupFailed(faults, 'Everything was restored except:\n')
    yield 'Everything was restored.'
  },

  /** Runs the worker's hourly garbage collection now. */
  async *'blobs collect'(input) {
    const { database, now, print } = input
    const deps = { database, blobs: await openBlobs(input), now, log: createLog(print, now) }
    const done = await collectBlobs(deps, new AbortController().signal)
    yield `Deleted ${done.deleted} files; ${done.expired} deployments expired.`
  },

  async *'blobs check'(input) {
    const check = await checkBlobs(input.database.query, await openBlobs(input), {
      readsBytes: input.options.quick !== true,
    })
    yield `Checked ${check.blobs} files of ${check.deployments} deployments in ${check.projects} projects.`
    if (check.faults.length > 0) throw new BackupFailed(check.faults)
  },

  /** Re-encrypts all secrets, after which older keys can be removed from OCTAVO_SECRET_KEYS. */
  async *'secrets rotate'({ database, settings }) {
    if (settings.secretKeys.length === 0) throw new UsageError('OCTAVO_SECRET_KEYS is not set.')
    const ring = createKeyRing(settings.secretKeys)
    const { rotated, failed } = await rotateSecrets(database, ring)
    yield `Encrypted ${rotated} secrets with the key "${ring.currentId}".`
    for (const line of failed) yield `Not changed: ${line}`
    if (failed.length > 0) throw new Error(`${failed.length} secrets could not be decrypted.`)
    yield 'The other keys in OCTAVO_SECRET_KEYS are no longer needed.'
  },
}

function openBlobs({ settings }: CommandInput): Promise<BlobStore> {
  if (settings.blobs === undefined) throw new UsageError('OCTAVO_BLOBS is not set.')
  return openBlobStore(settings.blobs)
}
