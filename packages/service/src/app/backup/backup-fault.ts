/**
 * The codes of all faults in backups and stored files, each explained in
 * docs/operate/upgrades-and-backups.mdx.
 */
export const BACKUP_FAULT_CODES = [
  'postgres-tool-missing',
  'postgres-tool-old',
  'postgres-tool-failed',
  'backup-missing',
  'backup-incomplete',
  'backup-damaged',
  'backup-newer',
  'database-not-empty',
  'store-not-set',
  'blob-missing',
  'blob-damaged',
  'manifest-damaged',
  'secret-unreadable',
  'pepper-differs',
] as const

export type BackupFault = {
  readonly code: (typeof BACKUP_FAULT_CODES)[number]
  /** The affected file or blob, or the project and the affected part of it. */
  readonly place: string
  readonly reason: string
  readonly hint: string
}

/** The maximum number of faults to print, since an empty store causes one fault per file. */
const PRINTED_MAX = 50

/** Thrown to end a command with exit code 1 and a list of faults. */
export class BackupFailed extends Error {
  readonly faults: readonly BackupFault[]

  constructor(faults: readonly BackupFault[], before = '') {
    super(before + printFaults(faults))
    this.name = 'BackupFailed'
    this.faults = faults
  }
}

function printFaults(faults: readonly BackupFault[]): string {
  const lines = faults
    .slice(0, PRINTED_MAX)
    .map(({ code, place, reason, hint }) => `${code}: ${place}: ${reason}\n  Hint: ${hint}`)
  if (faults.length > PRINTED_MAX) lines.push(`… and ${faults.length - PRINTED_MAX} more.`)
  return lines.join('\n')
}
