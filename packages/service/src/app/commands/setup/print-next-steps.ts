/** Prints the steps after `setup`. */
import type { DatabaseOutcome } from './create-database.ts'

type Place = { readonly file: string; readonly ownerFile: string }

const SYSTEMD_FOLDER = '/etc/octavo/'

/** Prints how to start the service with these files, and the link that creates the first owner. */
export function printNextSteps(
  { file, ownerFile }: Place,
  link: string | undefined,
): readonly string[] {
  const systemd = file.startsWith(SYSTEMD_FOLDER)
    ? ['  with systemd   systemctl enable --now octavo@all']
    : []
  const opened =
    link === undefined
      ? []
      : ['', 'Then open this link within an hour, to become the first owner:', `  ${link}`]
  return [
    '',
    'Everything is ready. Start the service:',
    ...systemd,
    `  by hand        octavo-service --settings ${file} --role all`,
    'Run commands as the owner of the tables, for example:',
    `  octavo-service --settings ${file} --settings ${ownerFile} doctor`,
    ...opened,
  ]
}

/** Prints the SQL that a PostgreSQL administrator has to run first. */
export function printSqlToRun(
  { reason, sql }: Extract<DatabaseOutcome, { kind: 'refused' }>,
  file: string,
): readonly string[] {
  const again = `Then run this again: octavo-service setup --settings ${file}`
  if (sql.length === 0) return ['', reason, again]
  return [
    '',
    reason,
    'If the database does not exist yet, run this as a superuser of PostgreSQL (for example with `sudo -u postgres psql`):',
    ...sql.map((line) => `  ${line}`),
    again,
  ]
}
