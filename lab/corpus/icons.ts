/**
 * Looks up every icon of real sites, and prints how many each library has.
 *
 *   npm run lab corpus/icons -- [folder of the corpus] [--only site] [--names 60]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSite, openIconLibrary, readFolder } from '@octavo/builder'
import { createPageParser, type PageNode } from '@octavo/content'
import { frameIcons, type IconLibrary, PAID_ICONS } from '@octavo/theme'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, names: { type: 'string', default: '60' } },
})

type IconUse = {
  readonly name: string
  readonly type: string | undefined
  readonly library: string | undefined
}
type Totals = {
  readonly found: Map<string, number>
  readonly missing: Map<string, number>
  /** The number of icons that only the paid edition of Font Awesome has. */
  paid: number
  uses: number
}

process.exitCode = withCorpus(positionals[0], (folder) => lookUpSites(join(folder, 'sites')))

function lookUpSites(folder: string): number {
  const all: Totals = { found: new Map(), missing: new Map(), paid: 0, uses: 0 }
  console.log('site'.padEnd(46), '    uses   drawn  missing  sprite bytes')
  for (const site of configFolders(folder)) {
    if (values.only !== undefined && !site.includes(values.only)) continue
    lookUpSite(site, join(folder, site), all)
  }
  const missing = sum(all.missing)
  console.log(`\n${all.uses} uses, ${all.uses - missing} drawn, ${missing} missing`)
  for (const [set, count] of byCount(all.found)) console.log(`  ${set.padEnd(10)} ${count}`)
  console.log(
    `${all.paid} of them are paid icons of Font Awesome, drawn by a free one in their stead`,
  )
  console.log(`${all.missing.size} names that are nowhere, the most used first:`)
  const listed = byCount(all.missing).slice(0, Number(values.names))
  console.log(listed.map(([name, count]) => `  ${name} ${count}`).join('\n'))
  return 0
}

function lookUpSite(name: string, path: string, all: Totals): void {
  const tree = readFolder(path)
  const { site } = loadSite(tree)
  if (site === undefined) return
  const { config, navigation } = site
  const library = openIconLibrary(config.icons?.library)
  const parse = createPageParser({ read: tree.read, variables: config.variables ?? {} })
  const before = { uses: all.uses, missing: sum(all.missing) }
  for (const page of site.pages) {
    if (page.isPageOnlyWhenListed) continue
    const uses: IconUse[] = []
    collect(parse(page.file, tree.read(page.file) ?? '').children, uses)
    for (const use of uses) count(use, library, all)
  }
  const icons = frameIcons(config, navigation)
  for (const { icon } of icons) {
    if (typeof icon === 'string') count(named(icon), library, all)
    else count({ name: icon.name, type: icon.style, library: icon.library }, library, all)
  }
  const bytes = site.iconSprite.text.length
  const uses = all.uses - before.uses
  const missing = sum(all.missing) - before.missing
  const columns = [uses, uses - missing, missing, bytes].map((it) => String(it).padStart(8))
  console.log(name.padEnd(46), ...columns)
}

function collect(nodes: readonly PageNode[], uses: IconUse[]): void {
  for (const node of nodes) {
    if (typeof node === 'string' || node.kind === 'math') continue
    if (node.kind === 'code') {
      if (node.options.icon !== undefined) uses.push(named(node.options.icon))
      continue
    }
    if (node.kind === 'component') {
      const { icon, name, iconType, iconLibrary } = node.props
      const written = icon ?? (node.name === 'Icon' ? name : undefined)
      if (typeof written === 'string') {
        const type = typeof iconType === 'string' ? iconType : undefined
        const library = typeof iconLibrary === 'string' ? iconLibrary : undefined
        uses.push({ name: written, type, library })
      }
    }
    collect(node.children, uses)
    if ('slots' in node) for (const slot of Object.values(node.slots ?? {})) collect(slot, uses)
  }
}

function named(name: string): IconUse {
  return { name, type: undefined, library: undefined }
}

function count({ name, ...hint }: IconUse, library: IconLibrary, all: Totals): void {
  // Files, URLs and emoji are not in a library.
  if (/[/<.]|\p{Extended_Pictographic}/u.test(name) || name === '') return
  all.uses += 1
  const symbol = library.find(name, hint)
  if (PAID_ICONS.has(name)) all.paid += 1
  if (symbol === undefined) add(all.missing, name)
  else add(all.found, symbol.id.split('-')[0] ?? '')
}

function add(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}

function sum(map: ReadonlyMap<string, number>): number {
  return [...map.values()].reduce((total, one) => total + one, 0)
}

function byCount(map: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...map].toSorted((a, b) => b[1] - a[1])
}
