/** `backup`, `restore` and `blobs check`. */

import { openBlobStore } from '../../platform/blobs/open-blob-store.ts'
import { BackupFailed } from '../backup/backup-fault.ts'
import { checkBlobs } from '../backup/check-blobs.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { type CommandInput, required, UsageError } from './arguments.ts'

export async function backUp({ settings, words, now, print }: CommandInput): Promise<void> {
  const path = required(words[0], 'folder')
  const blobs = settings.blobs && (await openBlobStore(settings.blobs))
  const { ownerUrl, pepper } = settings
  const { folder, faults } = await makeBackup(path, { ownerUrl, pepper, blobs, now, print })
  print(folder)
  if (faults.length > 0)
    throw new BackupFailed(faults, 'The backup is complete but for files that the store lacks.\n')
}

export async function restore({ settings, words, options, print }: CommandInput): Promise<void> {
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
  if (faults.length > 0) throw new BackupFailed(faults, 'Everything was restored but this:\n')
  print('Everything was restored.')
}

export async function checkStoredBlobs(input: CommandInput): Promise<void> {
  const { settings, database, options, print } = input
  if (settings.blobs === undefined) throw new UsageError('OCTAVO_BLOBS is not set.')
  const check = await checkBlobs(database.query, await openBlobStore(settings.blobs), {
    readsBytes: options.quick !== true,
  })
  print(
    `Checked ${check.blobs} files of ${check.deployments} deployments in ${check.projects} projects.`,
  )
  if (check.faults.length > 0) throw new BackupFailed(check.faults)
}
