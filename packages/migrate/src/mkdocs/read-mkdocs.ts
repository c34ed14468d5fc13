/** Reads a site of MkDocs, usually with the Material theme. */

import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { Assets } from '../folder/assets.ts'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import type { FindIcon } from '../page/icons.ts'
import { newUrlOf } from '../site/addresses.ts'
import type { ForeignPage, ForeignRedirect, ForeignSite, NavItem } from '../site/foreign-site.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { MigrationReport } from '../site/report.ts'
import { asValues, type Values } from '../site/values.ts'
import { convertPage, type PageContext } from './convert-page.ts'
import { oldUrlOf, pagePathOf } from './old-urls.ts'
import { type PageSource, readPageSource } from './page-source.ts'
import { readPlaceholders } from './placeholders.ts'
import { type Blog, dateOf, readBlogs } from './read-blog.ts'
import { findMkdocsConfigs, type MkdocsConfig, readMkdocsConfig, readNamed } from './read-config.ts'
import { navTreeOf, readNav } from './read-navigation.ts'
import { readRedirects } from './read-redirects.ts'
import { readSettings, reportSettings } from './read-settings.ts'
import { SiteAddresses } from './site-addresses.ts'

export type MkdocsInput = {
  readonly folder: ForeignFolder
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
}

/** Returns true if the folder has a site of this tool. */
export function isMkdocs(folder: ForeignFolder): boolean {
  return findMkdocsConfigs(folder).length > 0
}

export function readMkdocs({ folder, report, hasIcon }: MkdocsInput): ForeignSite | undefined {
  const [file = '', ...others] = findMkdocsConfigs(folder)
  const config = readMkdocsConfig(folder, file, report)
  if (config === undefined) return undefined
  for (const other of others)
    if (posix.basename(other) === posix.basename(file))
      report.leave(`\`${other}\` is another site in this folder. Migrate its folder alone.`, {
        file: other,
        line: 1,
      })
  return new MkdocsReader({ folder, report, hasIcon }, config).read()
}

class MkdocsReader {
  readonly #input: MkdocsInput
  readonly #config: MkdocsConfig
  readonly #pagesFolder: string
  readonly #features: ReadonlySet<string>
  readonly #blogs: readonly Blog[]
  readonly #drawings = new Map<string, string>()
  readonly #variables = new Map<string, string>()

  constructor(input: MkdocsInput, config: MkdocsConfig) {
    this.#input = input
    this.#config = config
    const { values, base } = config
    const written = typeof values.docs_dir === 'string' ? values.docs_dir : 'docs'
    this.#pagesFolder = joinPath(base, `./${written}`) ?? base
    const { features } = asValues(values.theme)
    this.#features = new Set(Array.isArray(features) ? features.map(String) : [])
    this.#blogs = readBlogs(values.plugins)
  }

  read(): ForeignSite {
    const { report, hasIcon, folder } = this.#input
    const { values } = this.#config
    const found = this.#readPages()
    const isDirectory = values.use_directory_urls !== false
    const listed = { nav: values.nav, place: this.#config.place('nav'), isDirectory }
    const sources = [...found, ...readPlaceholders(found, listed, report)]
    const assets = new Assets(folder)
    const addresses = new SiteAddresses({
      assets,
      pagesFolder: this.#pagesFolder,
      prefix: prefixOf(values),
      sources,
      hasReferences: this.#hasReferences(),
    })
    const nav = readNav({
      nav: values.nav,
      paths: new Map(sources.map(({ original, path }) => [original, path])),
      features: this.#features,
      report,
      place: this.#config.place('nav'),
    })
    const context: PageContext = {
      report,
      hasIcon,
      variables: new Set(this.#variables.keys()),
      navTitle: (file) => nav.titles.get(file),
      addressOf: (file, fragment) => addresses.ofFile(file, fragment),
      addressOfUrl: (url, fragment) => addresses.ofUrl(url, fragment),
      addressOfName: (name) => addresses.ofName(name),
    }
    const pages = sources.map((source) => convertPage(source, context))
    report.convert('page', pages.length)
    const settings = readSettings({
      config: this.#config,
      report,
      hasIcon,
      asset: (path) => {
        const address = addresses.asset(path)
        return address === undefined ? undefined : decodeURIComponent(address)
      },
    })
    reportSettings({ config: this.#config, report })
    assets.addMedia(this.#pagesFolder)
    for (const { file, reason } of folder.skipped)
      report.leave(`The file was skipped: ${reason}.`, { file, line: 1 })
    const items = this.#withPosts(nav.items, sources, pages)
    const titles = new Map(
      pages.map(({ path, frontmatter }) => [
        path,
        String(frontmatter.sidebarTitle ?? frontmatter.title),
      ]),
    )
    return {
      tool: 'MkDocs',
      settings:
        this.#variables.size === 0
          ? settings
          : { ...settings, variables: Object.fromEntries(this.#variables) },
      navigation: navTreeOf(items, this.#features, (path) => titles.get(path) ?? path),
      pages: this.#withBlogLists(pages, sources),
      redirects: this.#redirects(sources, addresses),
      assets: assets.files,
      made: this.#drawings,
    }
  }

  /** Returns true if `[text][name]` can refer to headings and generated names of any page. */
  #hasReferences(): boolean {
    const names = readNamed(this.#config.values.plugins)
    return names.has('autorefs') || names.has('mkdocstrings')
  }

  #readPages(): readonly PageSource[] {
    const { folder, report } = this.#input
    const { values, base } = this.#config
    const prefix = this.#pagesFolder === '' ? '' : `${this.#pagesFolder}/`
    const isExcluded = excludedFiles(values)
    const isDirectory = values.use_directory_urls !== false
    const reading = {
      report,
      includes: { folder, base, bases: this.#includeFolders() },
      templates: this.#hasTemplates()
        ? { folder, config: values, variables: this.#variables }
        : undefined,
      appended: this.#appended(),
      isReference: readNamed(values.plugins).has('mkdocstrings'),
      drawings: this.#drawings,
    }
    const files = folder.files.filter(
      (file) => file.startsWith(prefix) && /\.(?:md|markdown)$/i.test(file),
    )
    const taken = new Set<string>()
    return files.flatMap((file): readonly PageSource[] => {
      const original = file.slice(prefix.length)
      const written = folder.read(file) ?? ''
      if (original.split('/').some((name) => name.startsWith('.')) || this.#isTemplate(file))
        return []
      if (isExcluded(original)) {
        report.approximate('The configuration excludes this file, so it is no page.', {
          file,
          line: 1,
        })
        return []
      }
      const isShadowed =
        /(?:^|\/)README\.md$/.test(original) &&
        files.includes(file.replace(/README\.md$/, 'index.md'))
      if (isShadowed || written.length > MIGRATE_LIMITS.includedSizeMax) {
        const reason = isShadowed ? '`index.md` is next to it' : 'it is too large'
        report.leave(`The file is no page, because ${reason}.`, { file, line: 1 })
        return []
      }
      const plain = pagePathOf(original)
      const page = { file, original, path: plain, oldUrl: oldUrlOf(plain, isDirectory), written }
      const source = this.#asPost(readPageSource(page, reading), isDirectory)
      if (source.meta.draft === true) {
        report.leave('The page is a draft and was skipped.', { file, line: 1 })
        return []
      }
      if (taken.has(source.path)) {
        report.leave(`The page has the same address as another one, \`/${source.path}\`.`, {
          file,
          line: 1,
        })
        return []
      }
      taken.add(source.path)
      return [source]
    })
  }

  #isTemplate(file: string): boolean {
    const { custom_dir: custom } = asValues(this.#config.values.theme)
    const folder =
      typeof custom === 'string' ? joinPath(this.#config.base, `./${custom}`) : undefined
    return folder !== undefined && file.startsWith(`${folder}/`)
  }

  #asPost(source: PageSource, isDirectory: boolean): PageSource {
    const blog = this.#blogs.find(({ isPost }) => isPost(source.original))
    if (blog === undefined) return source
    const heading = /^#[ \t]+(.+)$/m.exec(source.text)?.[1] ?? source.path
    const title =
      typeof source.meta.title === 'string' ? source.meta.title : heading.replaceAll(/[`*]/g, '')
    const path = blog.pathOf(source.original, source.meta, title)
    return {
      ...source,
      path,
      oldUrl: oldUrlOf(path, isDirectory),
      text: source.text.replace(/^<!-- more -->$/m, ''),
    }
  }

  #includeFolders(): readonly string[] {
    const { values, base } = this.#config
    const { base_path: written } =
      readNamed(values.markdown_extensions).get('pymdownx.snippets') ?? {}
    const bases = Array.isArray(written) ? written : [written]
    const named = bases.flatMap((one) =>
      typeof one === 'string' ? [joinPath(base, `./${one.replace(/^\$config_dir\/?/, '')}`)] : [],
    )
    return [...named, base, this.#pagesFolder].filter((one) => one !== undefined)
  }

  #appended(): string {
    const { auto_append: files } =
      readNamed(this.#config.values.markdown_extensions).get('pymdownx.snippets') ?? {}
    const names = Array.isArray(files) ? files.map(String) : []
    return (
      names
        .flatMap((name) => this.#includeFolders().map((folder) => joinPath(folder, `./${name}`)))
        .map((path) => (path === undefined ? undefined : this.#input.folder.read(path)))
        .find((text) => text !== undefined) ?? ''
    )
  }

  #hasTemplates(): boolean {
    const { plugins, markdown_extensions: extensions } = this.#config.values
    const names = [...readNamed(plugins).keys(), ...readNamed(extensions).keys()]
    return names.some((name) => /(?:^|\.)macros$/.test(name))
  }

  /** Lists the posts of a blog below its first page, as the blog does. */
  #withPosts(
    items: readonly NavItem[],
    sources: readonly PageSource[],
    pages: readonly ForeignPage[],
  ): readonly NavItem[] {
    let result = items
    for (const blog of this.#blogs) {
      const posts = postsOf(blog, sources).map(({ path }): NavItem => ({ kind: 'page', path }))
      const group: NavItem = { kind: 'group', title: 'Posts', items: posts }
      const index = pages.find(({ path }) => path === `${blog.folder}/index`)
      if (posts.length === 0) continue
      const placed = result.map((item) =>
        isBlogSection(item, blog) ? withItem(item, group) : item,
      )
      const isPlaced = placed.some((item, at) => item !== result[at])
      const title = index === undefined ? 'Blog' : String(index.frontmatter.title)
      result = isPlaced
        ? placed
        : [
            ...result,
            {
              kind: 'group',
              title,
              items: [
                ...(index === undefined ? [] : [{ kind: 'page', path: index.path } as const]),
                ...posts,
              ],
            },
          ]
    }
    return result
  }

  /** Adds the list of posts to the first page of a blog. */
  #withBlogLists(
    pages: readonly ForeignPage[],
    sources: readonly PageSource[],
  ): readonly ForeignPage[] {
    const byPath = new Map(pages.map((page) => [page.path, page]))
    for (const blog of this.#blogs) {
      const posts = postsOf(blog, sources)
      if (posts.length === 0) continue
      const lines = posts.map(
        ({ path, meta }) =>
          `- ${dateOf(meta)}: [${escapeLabel(String(byPath.get(path)?.frontmatter.title ?? path))}](${newUrlOf(path)})`,
      )
      const path = `${blog.folder}/index`
      const index = byPath.get(path) ?? {
        source: undefined,
        path,
        frontmatter: { title: 'Blog' },
        body: '',
      }
      byPath.set(path, { ...index, body: `${index.body.trim()}\n\n${lines.join('\n')}` })
    }
    return [...byPath.values()]
  }

  #redirects(sources: readonly PageSource[], addresses: SiteAddresses): readonly ForeignRedirect[] {
    return readRedirects({
      config: this.#config,
      report: this.#input.report,
      sources,
      addresses,
      prefix: prefixOf(this.#config.values),
    })
  }
}

/** Returns the part of the site's URL below its host, such as `/docs`; empty for none. */
function prefixOf(values: Values): string {
  const url = typeof values.site_url === 'string' ? URL.parse(values.site_url) : null
  return url === null ? '' : url.pathname.replace(/\/$/, '')
}

function postsOf({ isPost }: Blog, sources: readonly PageSource[]): readonly PageSource[] {
  return sources
    .filter(({ original }) => isPost(original))
    .toSorted((a, b) => (dateOf(a.meta) < dateOf(b.meta) ? 1 : -1))
}

function isBlogSection(item: NavItem, { folder }: Blog): boolean {
  if (item.kind !== 'group') return item.kind === 'page' && item.path === `${folder}/index`
  return (
    item.root === `${folder}/index` ||
    item.items.some((one) => one.kind === 'page' && one.path === `${folder}/index`)
  )
}

function withItem(item: NavItem, group: NavItem): NavItem {
  if (item.kind === 'group') return { ...item, items: [...item.items, group] }
  return { kind: 'group', title: '', items: [item, group] }
}

/** Reads the patterns of files that are no pages. */
function excludedFiles(values: Values): (file: string) => boolean {
  const plugin = readNamed(values.plugins).get('exclude')
  const globs = Array.isArray(plugin?.glob) ? plugin.glob.map(String) : []
  const written = typeof values.exclude_docs === 'string' ? values.exclude_docs.split('\n') : []
  const patterns = [
    ...globs,
    ...written.map((line) => line.trim()).filter((line) => line !== '' && !/^[#!]/.test(line)),
  ]
  return (file) => patterns.some((pattern) => matches(file, pattern))
}

function matches(file: string, pattern: string): boolean {
  const plain = pattern.replace(/^\//, '').replace(/\/$/, '/**')
  const isAnywhere = !pattern.slice(0, -1).includes('/')
  return posix.matchesGlob(file, plain) || (isAnywhere && posix.matchesGlob(file, `**/${plain}`))
}

function escapeLabel(text: string): string {
  return text.replaceAll(/[[\]{}<]/g, '\\$&')
}
