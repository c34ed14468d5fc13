/** Works out the addresses of an old site from its files, independently of the migration. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export type OldUrls = { readonly listed: readonly string[]; readonly others: readonly string[] }

type Pages = { readonly files: readonly string[]; readonly root: string }

/** Returns the addresses of the pages that the navigation lists, and of the other moved pages. */
export function oldUrls(tool: string, folder: string, pages: Pages): OldUrls {
  if (tool === 'Docusaurus') return docusaurusUrls(folder)
  return tool === 'GitBook' ? gitbookUrls(folder) : mkdocsUrls(folder, pages)
}

function mkdocsUrls(folder: string, { files, root }: Pages): OldUrls {
  const config = globSync('**/mkdocs*.yml', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const nav = config
    .flatMap((text) => /^nav:\n((?:[ \t#-].*\n|\n)*)/m.exec(text)?.[1] ?? [])
    .join('\n')
    .replaceAll(/^[ \t]*#.*$/gm, '')
  const listed = [
    ...nav.matchAll(/(?:^[ \t]*-|:)[ \t]+["']?([^\s"':#][^"'\n:#]*\.md)["']?[ \t]*$/gm),
  ].map(([, file = '']) => file.trim())
  const others = files
    .map((file) => file.slice(root.length))
    .filter((file) => !listed.includes(file))
  return {
    listed: [...new Set(listed)].map(urlOf),
    // The address of a post of a blog comes from its date.
    others: others.filter((file) => !/(?:^|\/)posts\//.test(file)).map(urlOf),
  }
}

/** The pages of each list are at the path of their file, and redirects at their key. */
function gitbookUrls(folder: string): OldUrls {
  const lists = globSync('**/{SUMMARY,toc}.md', { cwd: folder }).sort(
    (a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1),
  )
  const main = posix.dirname(lists[0] ?? '')
  const listed = lists.flatMap((list) => {
    const root = posix.dirname(list)
    const below = main === '.' ? root : posix.relative(main, root)
    const space = below.startsWith('..') ? root : below
    const text = readFileSync(join(folder, list), 'utf8')
    const readme = readmeOf(join(folder, root))
    return [
      ...text.matchAll(/^[ \t]*[*-][ \t]+\[(?:\\.|[^\]])*\]\(<?([^()\s"#:]+\.md)[>)\s]/gm),
    ].flatMap(([, file = '']) => {
      const path = posix.join(space, file === readme ? 'README.md' : decodeURI(file))
      const exists = globSync(join(folder, root, decodeURI(file))).length > 0
      return exists ? [urlOf(path)] : []
    })
  })
  return { listed: [...new Set(listed)], others: gitbookRedirects(folder) }
}

function gitbookRedirects(folder: string): readonly string[] {
  const [file] = globSync('.gitbook.yaml', { cwd: folder })
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  const block = /^redirects:\n((?:[ \t#].*\n|\n)*)/m.exec(text)?.[1] ?? ''
  const root = /^root:[ \t]*(\S+)/m.exec(text)?.[1] ?? '.'
  return [...block.matchAll(/^[ \t]+([^\s#:][^:\n]*):[ \t]*(\S+)/gm)].flatMap(
    ([, from = '', to = '']) =>
      globSync(join(folder, root, to)).length > 0 ? [posix.join('/', from.trim(), '/')] : [],
  )
}

/** Sites that show their documentation at the root, and folders that are not called `docs`. */
const AT_ROOT = /ionic-docs|redux$/
const FOLDERS = 'docs,website/docs,website/{community,architecture,contributing}'

/** The pages are at the path of their file, unless their frontmatter has an id or slug. */
function docusaurusUrls(folder: string): OldUrls {
  const current = globSync(`{${FOLDERS}}`, { cwd: folder }).map((root) => {
    const name = posix.basename(root)
    return { root, route: name === 'docs' ? (AT_ROOT.test(folder) ? '' : 'docs') : name }
  })
  const sets = current.flatMap(({ root, route }) => {
    const base = ['website', ''].find((one) => existsSync(join(folder, one, 'versions.json')))
    if (posix.basename(root) !== 'docs' || base === undefined) return [{ root, route }]
    const versions: readonly string[] = JSON.parse(
      readFileSync(join(folder, base, 'versions.json'), 'utf8'),
    )
    const old = versions
      .map((name) => ({ name, root: posix.join(base, `versioned_docs/version-${name}`) }))
      .filter((one) => existsSync(join(folder, one.root)))
    const isLast = (name: string) => (/ionic/.test(folder) ? false : name === versions[0])
    return [
      { root, route: /ionic/.test(folder) ? route : posix.join(route, 'next') },
      ...old.map((one) => ({
        root: one.root,
        route: isLast(one.name) ? route : posix.join(route, one.name),
      })),
    ]
  })
  const listed = globSync('{,website/}{sidebars*.{js,ts,json},versioned_sidebars/*.json}', {
    cwd: folder,
  })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const pages = sets.flatMap(({ root, route }) =>
    globSync('**/*.{md,mdx}', { cwd: join(folder, root) })
      .filter((file) => !/(?:^|\/)_/.test(file))
      .map((file) => docUrl(readFileSync(join(folder, root, file), 'utf8'), file, route)),
  )
  const isListed = ({ id }: { readonly id: string }) =>
    listed.includes(`'${id}'`) || listed.includes(`"${id}"`)
  const urls = (some: readonly { readonly url: string }[]) => [
    ...new Set(some.map(({ url }) => url)),
  ]
  return {
    listed: urls(pages.filter(isListed)),
    others: urls(pages.filter((page) => !isListed(page))),
  }
}

function docUrl(
  text: string,
  file: string,
  route: string,
): { readonly id: string; readonly url: string } {
  const head = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? ''
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*["']?([^\\s"']+)`, 'm').exec(head)?.[1]
  // Numbers at the start of names are for the order only.
  const plain = file.replace(/\.mdx?$/, '').replaceAll(/(?<=^|\/)\d+[-_.]+(?=[^\d/])/g, '')
  const [folder, name] = [posix.dirname(plain), posix.basename(plain)]
  const slug = field('slug')
  const own = field('id') ?? name
  const isIndex = /^(?:index|readme)$/i.test(name) || name === posix.basename(folder)
  const usual = isIndex ? folder : posix.join(folder, own)
  const path = slug === undefined ? usual : slug.startsWith('/') ? slug : posix.join(folder, slug)
  return { id: posix.join(folder, own), url: posix.join('/', route, path, '/') }
}

function readmeOf(root: string): string {
  const texts = globSync('{.gitbook.yaml,book.json}', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const parents = globSync('../../.gitbook.yaml', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  return (
    [...texts, ...parents]
      .flatMap((text) => /readme"?:[ \t]*"?([\w./-]+\.md)/.exec(text)?.[1] ?? [])
      .at(0) ?? 'README.md'
  )
}

function urlOf(file: string): string {
  const path = file.replace(/\.md$/, '').replace(/(?:^|\/)(?:index|README)$/, '')
  return posix.join('/', path.split('/').map(encodeURIComponent).join('/'), '/')
}
