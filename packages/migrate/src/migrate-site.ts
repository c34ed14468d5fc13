/** Turns the folder of a site of another tool into the files of an Octavo site. */
import { checkSource } from '@octavo/content'
import { isDocusaurus, type ReadTyped, typedConfigs } from './docusaurus/read-config.ts'
import { readDocusaurus } from './docusaurus/read-docusaurus.ts'
import { readForeignFolder } from './folder/foreign-folder.ts'
import { isGitbook } from './gitbook/find-spaces.ts'
import { readGitbook } from './gitbook/read-gitbook.ts'
import { isMkdocs, readMkdocs } from './mkdocs/read-mkdocs.ts'
import type { FindIcon } from './page/icons.ts'
import type { ForeignSite } from './site/foreign-site.ts'
import { MigrationReport, type ReportData } from './site/report.ts'
import { siteFiles } from './write/site-files.ts'

export type MigratedSite = {
  readonly site: ForeignSite
  /** The content of each file of the new site, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly report: ReportData
}

const READERS = [
  { isMine: isMkdocs, read: readMkdocs },
  { isMine: isDocusaurus, read: readDocusaurus },
  { isMine: isGitbook, read: readGitbook },
]

type Options = {
  readonly omit?: string | undefined
  readonly hasIcon: FindIcon
  /** Returns a TypeScript file of `typedFiles` without its types. */
  readonly readTyped?: ReadTyped
}

/** Returns undefined if no tool that Octavo reads built the folder. */
export function migrateSite(
  root: string,
  { omit, hasIcon, readTyped = () => undefined }: Options,
): MigratedSite | undefined {
  const folder = readForeignFolder(root, omit)
  const reader = READERS.find(({ isMine }) => isMine(folder))
  const report = new MigrationReport()
  const site = reader?.read({ folder, report, hasIcon, readTyped })
  if (site === undefined) return undefined
  for (const { source, path, body } of site.pages) {
    const problem = checkSource(body, 'mdx')?.message
    if (problem !== undefined)
      report.leave(`Octavo cannot show the page. ${problem}`, { file: source ?? path, line: 1 })
  }
  return { site, files: siteFiles(site, folder), report: report.data() }
}

/** Returns the TypeScript files that a migration reads as data, with their text. */
export function typedFiles(
  root: string,
): readonly { readonly file: string; readonly text: string }[] {
  const folder = readForeignFolder(root, undefined)
  return typedConfigs(folder).flatMap((file) => {
    const text = folder.read(file)
    return text === undefined ? [] : [{ file, text }]
  })
}
