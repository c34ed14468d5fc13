import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type MigratedSite, migrateSite } from '../src/migrate-site.ts'

/** Migrates a folder with these files. The target of a symbolic link is written as `-> target`. */
export function migrateFiles(files: Readonly<Record<string, string>>): MigratedSite {
  const root = mkdtempSync(join(tmpdir(), 'octavo-migrate-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), file)
      else writeFileSync(file, text)
    }
    const migrated = migrateSite(root, { hasIcon: (name) => name === 'rocket' })
    if (migrated === undefined) throw new Error('The site was not recognized.')
    return migrated
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export function textOf({ files }: MigratedSite, path: string): string {
  return new TextDecoder().decode(files.get(path))
}

export function bodyOf(migrated: MigratedSite, path: string): string {
  return textOf(migrated, path)
    .replace(/^---\n[\s\S]*?\n---\n\n/, '')
    .trim()
}

export function configOf(migrated: MigratedSite): Record<string, unknown> {
  return JSON.parse(textOf(migrated, 'docs.json'))
}

/** Returns the entries of the report, with their places. */
export function reportOf({ report }: MigratedSite): readonly string[] {
  return [...report.left, ...report.approximated].map(
    ({ file, line, what }) => `${file}:${line} ${what}`,
  )
}
