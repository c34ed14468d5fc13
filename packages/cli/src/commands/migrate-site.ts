import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { openIconLibrary, readTypedModule } from '@octavo/builder'
import {
  isMigrationFolder,
  migrateSite,
  printReport,
  REPORT_FILE,
  typedFiles,
  type WrittenChanges,
  writeMigration,
  writeRecord,
} from '@octavo/migrate'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'

type MigrateSiteOptions = {
  readonly folder: string
  readonly output: string
  readonly dryRun: boolean
}

/** The number of changed files that are listed by name. */
const LISTED_MAX = 20

/** `octavo migrate <folder> -o <folder>`: makes an Octavo site of a site of another tool. */
export async function migrateSiteTo(
  world: CommandContext,
  options: MigrateSiteOptions,
): Promise<ExitCode> {
  const { dryRun } = options
  const from = resolve(world.cwd, options.folder)
  const to = resolve(world.cwd, options.output)
  const reason = refusal(from, to, options)
  if (reason !== undefined) {
    world.err.write(`octavo: ${reason}\n`)
    return EXIT.usage
  }
  const icons = openIconLibrary(undefined)
  const modules = new Map<string, Awaited<ReturnType<typeof readTypedModule>>>()
  for (const typed of typedFiles(from)) modules.set(typed.file, await readTypedModule(typed))
  const migrated = migrateSite(from, {
    readTyped: (file) => {
      const module = modules.get(file)
      return module?.kind === 'stripped' ? module : undefined
    },
    omit: existsSync(to) ? realpathSync(to) : undefined,
    hasIcon: (name, library) => icons.find(name, { library }) !== undefined,
  })
  if (migrated === undefined) {
    world.err.write(
      `octavo: no site was found in "${options.folder}". Octavo reads MkDocs (mkdocs.yml), Docusaurus (docusaurus.config.js) and GitBook (SUMMARY.md). For mint.json, leave out -o.\n`,
    )
    return EXIT.usage
  }
  const { site, files, report } = migrated
  const changes = writeMigration(to, files, dryRun)
  const text = printReport(site.tool, report)
  if (!dryRun) writeRecord(to, REPORT_FILE, text)
  world.out.write(`${text}\n`)
  writeChanges(world, changes, { ...options, pages: site.pages.length })
  return EXIT.ok
}

function refusal(
  from: string,
  to: string,
  { folder, output }: MigrateSiteOptions,
): string | undefined {
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory())
    return `the folder "${folder}" does not exist.`
  if (from === to || from.startsWith(`${to}${sep}`))
    return 'the new site needs a folder of its own: -o must not contain the old site.'
  if (existsSync(to) && !statSync(to).isDirectory()) return `"${output}" is not a folder.`
  if (!isMigrationFolder(to))
    return `"${output}" is not empty, and no earlier migration wrote it. Choose another folder.`
  return undefined
}

function writeChanges(
  { out, env }: CommandContext,
  changes: WrittenChanges,
  { output, dryRun, pages }: MigrateSiteOptions & { readonly pages: number },
): void {
  const { green, dim } = colorsFor(out, env)
  const { created, updated, removed, kept, conflicts, unchanged, isStateDamaged } = changes
  const isFirst = updated.length + removed.length + kept.length + conflicts.length + unchanged === 0
  if (!isFirst) {
    const kinds = { created, updated, removed, 'kept, because you edited them': kept }
    for (const [kind, paths] of Object.entries(kinds)) list(kind, paths)
    if (isStateDamaged)
      out.write(
        '.migration/files.json is damaged, so Octavo cannot tell which files you edited. Files that differ were not replaced.\nHint: restore it from Git. Or compare with .migration/new, and copy what you want.\n',
      )
    list('changed on both sides; yours are kept, and the new ones are in .migration/new', conflicts)
  }
  if (dryRun) out.write(`${dim('Nothing was written.')}\n`)
  else if (isFirst)
    out.write(
      `${green('✓')} ${pages} ${pages === 1 ? 'page was' : 'pages were'} written to ${output}. Run \`octavo dev ${output} --open\` next.\n`,
    )
  else
    out.write(
      `${green('✓')} ${created.length} created, ${updated.length} updated, ${removed.length} removed, ${unchanged} unchanged.\n`,
    )

  function list(kind: string, paths: readonly string[]): void {
    if (paths.length === 0) return
    const names = paths.slice(0, LISTED_MAX).map((path) => `  ${path}\n`)
    const more = paths.length > LISTED_MAX ? `  and ${paths.length - LISTED_MAX} more\n` : ''
    out.write(`${paths.length} ${kind}:\n${names.join('')}${more}`)
  }
}
