/** Reads a site of GitBook: the repository that its Git Sync writes. */
import { joinPath, toValue } from '@octavo/model'
import { Assets } from '../folder/assets.ts'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { readYaml } from '../folder/read-yaml.ts'
import type { FindIcon } from '../page/icons.ts'
import type { ForeignSite } from '../site/foreign-site.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { MigrationReport } from '../site/report.ts'
import { titleOf } from '../site/titles.ts'
import { asValues, type Values } from '../site/values.ts'
import { convertPage, type PageContext } from './convert-page.ts'
import { findSpaces, isInside, type Space } from './find-spaces.ts'
import { linkedPages } from './linked-pages.ts'
import { type PageSource, readPageSource } from './page-source.ts'
import { type Listed, readNavigation } from './read-navigation.ts'
import { readRedirects, redirectTargets } from './read-redirects.ts'
import { SiteAddresses } from './site-addresses.ts'

export type GitbookInput = {
  readonly folder: ForeignFolder
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
}

export function readGitbook({ folder, report, hasIcon }: GitbookInput): ForeignSite | undefined {
  const spaces = findSpaces(folder, report)
  if (spaces.length === 0) return undefined
  const assets = new Assets(folder)
  const { listed, treeOf, name } = readNavigation({ folder, spaces, report })
  const all = readPages({ folder, report, hasIcon }, spaces, (file) => listed.has(file))
  const sources = publishedPages(all, { listed, spaces, report })
  const addresses = new SiteAddresses(sources, spaces, assets)
  const variables = readVariables(folder, spaces, report)
  const made = new Map<string, string>()
  const shown = (source: PageSource) =>
    source.heading ??
    textOf(source.meta.title) ??
    listed.get(source.file)?.title ??
    titleOf(source.path)
  const taken = new Set(sources.map(({ path }) => path))
  const context: PageContext = {
    report,
    hasIcon,
    addresses,
    variables,
    listed: (file) => listed.get(file),
    titleOf: shown,
    hasPage: (path) => taken.has(path),
    includes: {
      stack: [],
      read: folder.read,
      snippet: (file, stack) => {
        const text = readSmall(folder, file)
        const space = spaceOf(file, spaces)
        if (text === undefined || space === undefined) return undefined
        const name = snippetName(file)
        const inside = { ...context, includes: { ...context.includes, stack } }
        if (!made.has(`snippets/${name}`)) {
          const [page] = convertPage(readPageSource({ file, space }, text), inside)
          made.set(`snippets/${name}`, `${page.body.trim()}\n`)
        }
        return name
      },
    },
  }
  const converted = sources.map((source) => convertPage(source, context))
  const pages = converted.flat()
  report.convert('page', pages.length)
  reportUnread(folder, spaces, { made, report })
  for (const { file, reason } of folder.skipped)
    report.leave(`The file was skipped: ${reason}.`, { file, line: 1 })
  const [main] = spaces
  report.leave(
    'The logo, colors, domain and name of the site are in GitBook, not in its repository. Set them in docs.json.',
    { file: main?.summary ?? '', line: 1 },
  )
  const paths = new Map(converted.map(([page, ...below]) => [page.source ?? '', { page, below }]))
  return {
    tool: 'GitBook',
    settings: {
      name: name ?? sources.find(({ path }) => path === 'index')?.heading ?? 'Documentation',
      variables: Object.keys(variables).length === 0 ? undefined : variables,
    },
    navigation: treeOf(paths),
    pages,
    redirects: readRedirects({ spaces, sources, report }),
    assets: assets.files,
    made,
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readSmall(folder: ForeignFolder, file: string): string | undefined {
  const text = folder.read(file)
  return text !== undefined && text.length <= MIGRATE_LIMITS.includedSizeMax ? text : undefined
}

/** Returns the space that a file belongs to: the one with the longest root around it. */
function spaceOf(file: string, spaces: readonly Space[]): Space | undefined {
  return spaces
    .filter(({ root }) => isInside(file, root))
    .toSorted((a, b) => b.root.length - a.root.length)[0]
}

function snippetName(file: string): string {
  const parts = file.replace(/\.(?:md|markdown)$/i, '').split('/')
  const name = parts
    .map((part) => part.replaceAll(/^\.+|[^\w.-]/g, ''))
    .filter((part) => part !== '')
  return `${name.join('/')}.mdx`
}

/** Files that Octavo publishes only if the navigation lists them. */
const NO_PAGE =
  /(?:^|\/)(?:LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE)\.md$/

function readPages(
  { folder, report }: GitbookInput,
  spaces: readonly Space[],
  isListed: (file: string) => boolean,
): readonly PageSource[] {
  const lists = new Set(spaces.map(({ summary }) => summary))
  return folder.files.flatMap((file): readonly PageSource[] => {
    const space = spaceOf(file, spaces)
    const isPage = /\.(?:md|markdown)$/i.test(file) && !lists.has(file)
    const isHidden = file.split('/').some((name) => name.startsWith('.'))
    if (space === undefined || !isPage || isHidden) return []
    if (NO_PAGE.test(file) && !isListed(file)) {
      report.leave('The file belongs to the repository, so it was not moved.', { file, line: 1 })
      return []
    }
    const text = readSmall(folder, file)
    if (text === undefined) {
      report.leave('The file is no page, because it is too large.', { file, line: 1 })
      return []
    }
    return [readPageSource({ file, space }, text)]
  })
}

/** Names Markdown that is in no space, and reusable content that no page includes. */
function reportUnread(
  folder: ForeignFolder,
  spaces: readonly Space[],
  {
    made,
    report,
  }: { readonly made: ReadonlyMap<string, string>; readonly report: MigrationReport },
): void {
  const files = folder.files.filter((file) => /\.(?:md|markdown)$/i.test(file))
  const [outside, ...more] = files.filter((file) => spaceOf(file, spaces) === undefined)
  if (outside !== undefined)
    report.leave(
      `The file is in no space and was not moved${more.length === 0 ? '.' : `, like ${more.length} more.`}`,
      { file: outside, line: 1 },
    )
  for (const file of files)
    if (/(?:^|\/)\.gitbook\//.test(file) && !made.has(`snippets/${snippetName(file)}`))
      report.leave('No page includes this reusable content, so it was not moved.', {
        file,
        line: 1,
      })
}

/**
 * Returns the pages of the new site: GitBook shows the pages in the list. Pages that only other
 * pages link to are kept, hidden from the navigation.
 */
function publishedPages(
  all: readonly PageSource[],
  {
    listed,
    spaces,
    report,
  }: {
    readonly listed: ReadonlyMap<string, Listed>
    readonly spaces: readonly Space[]
    readonly report: MigrationReport
  },
): readonly PageSource[] {
  const targets = redirectTargets(spaces)
  const shown = linkedPages(all, (file) => listed.has(file) || targets.has(file))
  const taken = new Map<string, PageSource>()
  const inOrder = [...all].sort((a, b) => Number(listed.has(b.file)) - Number(listed.has(a.file)))
  for (const source of inOrder) {
    const { file, path } = source
    const place = { file, line: 1 }
    const other = taken.get(path)
    if (!shown.has(file))
      report.leave('The list of pages does not have this file, so it was not moved.', place)
    else if (other !== undefined)
      report.leave(
        `The page has the same address as \`${other.file}\`, so it was not moved.`,
        place,
      )
    else {
      if (!listed.has(file))
        report.approximate(
          'The list of pages does not have this file, but a page or redirect leads to it. It is a hidden page.',
          place,
        )
      taken.set(path, source)
    }
  }
  return all.filter((source) => taken.get(source.path) === source)
}

/** Reads the variables of the spaces. The first space with a name wins. */
function readVariables(
  folder: ForeignFolder,
  spaces: readonly Space[],
  report: MigrationReport,
): Values {
  const variables: Record<string, string> = {}
  for (const { root } of spaces) {
    const file = joinPath(root, './.gitbook/vars.yaml') ?? ''
    const node = folder.has(file) ? readYaml(folder, file, report) : undefined
    const values = asValues(node === undefined ? undefined : toValue(node))
    for (const [name, value] of Object.entries(values)) {
      const isFree = !Object.hasOwn(variables, name) || variables[name] === String(value)
      if (/^[\w.-]+$/.test(name) && isFree) variables[name] = String(value)
      else
        report.leave(`The variable \`${name}\` has another value in another space.`, {
          file,
          line: 1,
        })
    }
  }
  return variables
}
