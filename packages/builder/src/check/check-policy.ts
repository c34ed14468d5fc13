/**
 * Reports what the content security policy blocks in an author's scripts and stylesheets, because a
 * browser reports it only in its console.
 */
import { type Config, diagnose, type Report, SCRIPT_ORIGINS_MAX, SourceText } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import { siteOrigins } from '../output/site-origins.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type PolicyCheck = {
  readonly site: LoadedSite
  readonly tree: SourceTree
  readonly report: Report
}

/** Maximum number of diagnostics per file, because more would only repeat the same problem. */
const PLACES_MAX = 5

export function checkPolicy({ site, tree, report }: PolicyCheck): void {
  for (const file of tree.files) {
    if (!/\.(?:js|css)$/.test(file)) continue
    const text = tree.read(file) ?? ''
    const found = file.endsWith('.css') ? blockedStyles(text, site.config) : blockedCode(text)
    if (found.length === 0) continue
    const source = new SourceText(file, text)
    for (const { offset, message, hint } of found.slice(0, PLACES_MAX)) {
      report(diagnose('policy/blocked', { file, ...source.position(offset) }, { message, hint }))
    }
  }
  checkScriptHosts({ site, tree, report })
}

type Blocked = { readonly offset: number; readonly message: string; readonly hint: string }

const IMPORT = /@import\s+(?:url\(\s*)?["']?((?:https?:)?\/\/[^"')\s;]+)/gi
const FONT_HOST = /^https:\/\/(?:fonts\.googleapis\.com|use\.typekit\.net|fonts\.bunny\.net)$/

function blockedStyles(text: string, { contentSecurityPolicy }: Config): readonly Blocked[] {
  const allowed = contentSecurityPolicy?.['style-src'] ?? []
  return [...text.matchAll(IMPORT)].flatMap(({ index, 1: address = '' }) => {
    const origin = URL.parse(address, 'https://site.invalid')?.origin
    if (origin === undefined || allowed.some((one) => covers(one, origin))) return []
    const hint = FONT_HOST.test(origin)
      ? 'Set the font in `fonts` of docs.json: the build then includes it in the site.'
      : `Add the stylesheet to the repository, or allow \`${origin}\` in \`contentSecurityPolicy.style-src\` of docs.json.`
    return [
      {
        offset: index,
        message: `The content security policy blocks the stylesheet from \`${origin}\`.`,
        hint,
      },
    ]
  })
}

function covers(allowed: string, origin: string): boolean {
  return (
    allowed === origin ||
    (allowed.startsWith('https://*.') && origin.endsWith(allowed.slice('https://*'.length)))
  )
}

/**
 * Also matches in comments, because excluding them needs a parser and few comments contain such
 * code.
 */
const DYNAMIC_CODE = /(?<![\w.$])(?:eval\s*\(|new\s+Function\s*\()/g
const SCRIPT_ELEMENT = /(\w+)\s*=\s*document\.createElement\(\s*["'`]script["'`]\s*\)/g

function blockedCode(text: string): readonly Blocked[] {
  const made = [...text.matchAll(DYNAMIC_CODE)].map(({ index }) => ({
    offset: index,
    message:
      'The content security policy blocks code that is created from strings, so this line fails.',
    hint: 'Write the code directly instead of using `eval` or `new Function`.',
  }))
  const inline = [...text.matchAll(SCRIPT_ELEMENT)].flatMap(({ 1: name = '' }) => {
    const filled = new RegExp(`\\b${name}\\.(?:innerHTML|innerText|textContent|text)\\s*=`)
    // A script element with such a type contains data and is not executed.
    const isData = new RegExp(
      `\\b${name}\\.(?:type\\s*=|setAttribute\\(.type.,)\\s*["'\`]application/`,
    )
    const offset = isData.test(text) ? -1 : text.search(filled)
    const message = 'The content security policy blocks inline scripts, so this has no effect.'
    const hint = 'Put the code directly in this file, which every page loads.'
    return offset < 0 ? [] : [{ offset, message, hint }]
  })
  return [...made, ...inline]
}

function checkScriptHosts({ site, tree, report }: PolicyCheck): void {
  const scripts = siteOrigins(site, tree)?.scripts ?? []
  const blocked = scripts.slice(SCRIPT_ORIGINS_MAX)
  const file = tree.files.find((one) => one.endsWith('.js') && tree.read(one)?.includes('://'))
  if (blocked.length === 0 || file === undefined) return
  const message = `The scripts of this site mention ${scripts.length} hosts, but pages can load scripts from only ${SCRIPT_ORIGINS_MAX} of them; \`${blocked[0]}\` is blocked.`
  const hint = 'Remove unneeded URLs from the scripts.'
  report(diagnose('policy/blocked', { file, line: 1, column: 1 }, { message, hint }))
}
