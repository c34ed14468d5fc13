/**
 * Checks the style rules that a linter does not know. Prints one line per violation with path,
 * reason and remedy. `npm run check` runs it; STYLE.md explains the rules.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { DIAGNOSTIC_CODES } from '@octavo/model'
import { checkGlossary, writeCounts } from './tidy/avoided-words.ts'
import { checkFunctions } from './tidy/long-functions.ts'

/**
 * The import direction of packages. A package may import only the listed packages. The order of the
 * keys is the order of the layers.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  openapi: ['model'],
  content: ['model'],
  migrate: ['model', 'content'],
  search: ['model'],
  mcp: ['model', 'search'],
  theme: ['model', 'model/clean-text', 'openapi', 'content', 'search'],
  browser: [
    'model/clean-text',
    'model/site-event',
    'openapi/browser',
    'search',
    'search/joined-search',
    'theme',
    'theme/answers',
    'theme/browser',
  ],
  outbound: [],
  embeddings: [],
  builder: [
    'model',
    'openapi',
    'content',
    'search',
    'search/joined-search',
    'theme',
    'browser',
    'outbound',
  ],
  contract: [],
  assistant: ['model', 'contract', 'search', 'outbound'],
  cli: [
    'model',
    'model/nearest',
    'model/node-version',
    'model/version',
    'openapi',
    'search',
    'mcp',
    'outbound',
    'outbound/host-name',
    'embeddings',
    'builder',
    'migrate',
    'builder/build',
    'contract',
    'assistant',
  ],
  dashboard: ['theme', 'contract'],
  service: [
    'model',
    'openapi',
    'contract',
    'search',
    'mcp',
    'outbound',
    'embeddings',
    'assistant',
    'builder',
    'dashboard',
  ],
}

/**
 * The import direction within a package. A folder may import the folders before it, and files next
 * to the folders may import all of them. Types may be imported from any folder, except from a later
 * area of the service.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  model: [
    'text',
    'diagnostics',
    'json',
    'schema',
    'deployment',
    'routes',
    'config',
    'navigation',
    'mint-json',
    'frontmatter',
  ],
  openapi: [
    'code-samples',
    'document',
    'swagger',
    'operations',
    'values',
    'json-path',
    'check',
    'linking',
    'overlays',
    'differences',
    'pages',
    'mock',
    'proof',
  ],
  theme: [
    'words',
    'markup',
    'answers',
    'looks',
    'utilities',
    'languages',
    'icons',
    'math',
    'highlight',
    'api',
    'content',
    'frame',
  ],
  browser: [
    'page',
    'search',
    'playground',
    'islands',
    'assistant',
    'events',
    'integrations',
    'preview',
    'reader',
    'proof',
    'dashboard',
    'dev',
  ],
  content: [
    'tree',
    'interpreter',
    'allowed',
    'markdown',
    'foreign',
    'modules',
    'render',
    'compile',
    'convert',
  ],
  migrate: ['site', 'folder', 'page', 'mkdocs', 'gitbook', 'docusaurus', 'write'],
  builder: [
    'source',
    'load',
    'plan',
    'compile',
    'cache',
    'scripts',
    'islands',
    'output',
    'check',
    'pipeline',
    'dev',
    'rename',
  ],
  search: ['words', 'format', 'engine', 'writer', 'excerpts', 'answers'],
  mcp: [],
  outbound: [],
  embeddings: [],
  dashboard: ['visit', 'parts', 'screens'],
  contract: [],
  assistant: ['models', 'answer'],
  cli: [
    'context',
    'report',
    'commands',
    'answers',
    'live',
    'deploy',
    'export',
    'loopback',
    'mock',
    'proof',
    'dev',
    'preview',
  ],
  service: [
    ...foldersOf(
      'platform',
      'telemetry secrets sandbox git blobs jobs database limits mail http audit',
    ),
    ...foldersOf('people', 'identity users sessions organizations members sign-in'),
    ...foldersOf('projects', 'projects api-keys ci-jobs notifications'),
    ...foldersOf('publishing', 'deployments providers connections builds domains'),
    ...foldersOf('reading', 'access libraries hosting analytics mcp'),
    ...foldersOf('answers', 'conversations assistant vectors gaps'),
    ...foldersOf('app', 'settings backup cells web roles commands'),
  ],
}

/** Returns the folders of an area. Files directly in the area come before its folders. */
function foldersOf(area: string, names: string): readonly string[] {
  return [area, ...names.split(' ').map((name) => `${area}/${name}`)]
}

/** Packages that must not touch files, network, processes or the clock (ARCHITECTURE.md, "Packages"). */
const PURE = ['model', 'openapi', 'content', 'search', 'theme']
const IMPURE =
  /from 'node:(?!path\/posix)|Date\.now\(|new Date\(\)|performance\.now|Math\.random|\bfetch\(/

const LINES_MAX = 400
const TEMPLATE_COLUMNS_MAX = 120
const FILE_BYTES_MAX = 1_000_000
const GRAB_BAGS = /^(?:utils?|helpers?|lib|common|misc|shared|core)\.tsx?$/
const KEBAB_CASE = /^[a-z\d-]+(?:\.case|(?:\.(?:property|e2e|soak))?(?:\.test)?)\.tsx?$/
/**
 * Matches `...{ a, b }`, which prevents the formatter from breaking a line and the compiler from
 * finding typos.
 */
const SPREAD_LITERAL = /\.\.\.\{/
const STRING_LITERAL = /'(?:[^'\\\n]|\\.)*'|`[^`]*`/g
const MARKUP = /html`|<\/?[a-z]/
/** Matches icon data, which cannot be broken into lines. */
const PATH_DATA = /^\s*<path d="[^"]*"\/>$/
/**
 * Matches relative imports. Captures the `type` keyword, because type imports do not exist at run
 * time.
 */
const RELATIVE_IMPORT = /^(?:import|export) (type )?[^']*?from '(\.[^']+)'/gm
/** Matches any quoted mention of a package, so that dynamic imports are checked too. */
const MENTION = /['"]@octavo\/([^'"]+)['"]/g

/** Returns one line per violation, ready to print; empty for a tidy tree. */
export function tidy(root: string): readonly string[] {
  const sources = sourceFiles(join(root, 'packages'))
  return [
    ...sources.flatMap((file) => checkSource(root, file)),
    ...checkCodes(root),
    ...checkFixtures(root),
    ...checkDecisions(root),
    ...checkSizes(root),
    ...checkGlossary(root, allFiles(root)),
  ]
}

function checkSource(root: string, file: string): readonly string[] {
  const path = relative(root, file).split(sep).join('/')
  const text = readFileSync(file, 'utf8')
  return [
    ...checkShape(path, text),
    ...checkTemplates(path, text),
    ...checkImports(path, text),
    ...checkFolders(path, text),
    ...checkReach(path, text),
    ...(isTest(path) ? [] : checkFunctions(path, text)),
  ].map((why) => `${path}: ${why}`)
}

const isTest = (path: string) => /\.(?:test|case)\.tsx?$/.test(path) || path.includes('/testing/')

export function checkShape(path: string, text: string): readonly string[] {
  const violations: string[] = []
  const name = path.split('/').at(-1) ?? path
  const lines = text.split('\n').length
  if (lines > LINES_MAX && !isTest(path))
    violations.push(`${lines} lines; split it (limit ${LINES_MAX})`)
  if (GRAB_BAGS.test(name)) violations.push('name the file after what it provides')
  if (!KEBAB_CASE.test(name)) violations.push('name the file in kebab-case')
  if (/^export default\b/m.test(text)) violations.push('default export; export a name')
  if (/^export \* from\b/m.test(text)) violations.push('export *; list the names')
  if (SPREAD_LITERAL.test(text.replaceAll(STRING_LITERAL, "''")))
    violations.push('spreads a fresh object; write its properties, so that typos are found')
  const mayReadEnv = name === 'main.ts' || name === 'env.ts'
  if (/process\.env\b/.test(text) && !mayReadEnv && !isTest(path))
    violations.push('reads the environment; only env.ts does')
  const area = path.split('/')[1] ?? ''
  if (PURE.includes(area) && !isTest(path) && IMPURE.test(text)) {
    violations.push(
      `${area} is pure: it cannot use files, the network, the clock or randomness; let the caller pass values in`,
    )
  }
  return violations
}

/** Checks the length of markup lines in the dashboard. Sentences can be longer. */
export function checkTemplates(path: string, text: string): readonly string[] {
  if (!path.startsWith('packages/dashboard/src/') || path.endsWith('.test.ts')) return []
  return text.split('\n').flatMap((line, index) => {
    const isLong = line.length > TEMPLATE_COLUMNS_MAX && MARKUP.test(line) && !PATH_DATA.test(line)
    if (!isLong) return []
    return [`line ${index + 1}: ${line.length} columns; break it (limit ${TEMPLATE_COLUMNS_MAX})`]
  })
}

export function checkImports(path: string, text: string): readonly string[] {
  const self = path.split('/')[1] ?? ''
  const allowed = MAY_IMPORT[self]
  if (allowed === undefined)
    return [`there is no package "${self}" in the layers of scripts/tidy.ts`]
  return [...text.matchAll(MENTION)]
    .map((match) => match[1] ?? '')
    .filter((target) => !allowed.includes(target))
    .map((target) => `${self} may not import @octavo/${target}; see MAY_IMPORT in scripts/tidy.ts`)
}

export function checkFolders(path: string, text: string): readonly string[] {
  const [, self = '', , ...inside] = path.split('/')
  const order = FOLDER_ORDER[self]
  if (order === undefined || isTest(path) || inside.length < 2) return []
  const folder = placeIn(order, inside.join('/'))
  if (folder === undefined)
    return [`add the folder "${inside[0]}" to FOLDER_ORDER in scripts/tidy.ts`]
  return [...text.matchAll(RELATIVE_IMPORT)].flatMap(([, type, specifier = '']) => {
    const target = posix.join(posix.dirname(inside.join('/')), specifier)
    if (target.startsWith('..')) return []
    const other = placeIn(order, target)
    const isBefore = other !== undefined && order.indexOf(other) <= order.indexOf(folder)
    if (isBefore || (type !== undefined && !isAreaBelow(order, folder, other))) return []
    return [`${folder} may not import ${target}; see FOLDER_ORDER in scripts/tidy.ts`]
  })
}

/** Reports imports from `scripts/` and `lab/`, on which published packages must not depend. */
export function checkReach(path: string, text: string): readonly string[] {
  return [...text.matchAll(RELATIVE_IMPORT)]
    .map(([, , specifier = '']) => posix.join(posix.dirname(path), specifier))
    .filter((target) => /^(?:scripts|lab)\//.test(target))
    .map((target) => `nothing under packages/ may import ${target}`)
}

/**
 * Checks whether a folder is in an earlier area than `other`, which means that it may not even
 * import types from there. In a package without areas, types may come from anywhere.
 */
function isAreaBelow(order: readonly string[], folder: string, other = ''): boolean {
  const [area = '', otherArea = ''] = [folder, other].map((path) => path.split('/', 1)[0])
  const hasAreas = order.some((path) => path.includes('/'))
  return hasAreas && order.indexOf(area) < order.indexOf(otherArea)
}

/** Returns the innermost listed folder that contains a file. */
function placeIn(order: readonly string[], file: string): string | undefined {
  const folder = posix.dirname(file)
  if (folder === '.') return undefined
  return order.includes(folder) ? folder : placeIn(order, folder)
}

/**
 * Checks that every diagnostic code has a page in docs/errors and appears in a fixture, a limit
 * test or a host test.
 */
function checkCodes(root: string): readonly string[] {
  const tests = sourceFiles(join(root, 'packages')).filter((file) =>
    /\/limits\.test\.ts$|\/service\/.*\.test\.ts$/.test(file),
  )
  const shown = [...textFiles(join(root, 'fixtures')), ...tests]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const codes = Object.keys(DIAGNOSTIC_CODES)
  const pages = textFiles(join(root, 'docs/errors'), '.mdx').map((file) =>
    relative(join(root, 'docs/errors'), file)
      .split(sep)
      .join('/')
      .replace(/\.mdx$/, ''),
  )
  const lists = ['docs/errors/index.mdx', 'docs/docs.json', 'fixtures/README.md'].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
  return [
    ...lists.flatMap(({ path, text }) =>
      codes
        .filter((code) => !new RegExp(`${code}(?![\\w-])`).test(text))
        .map((code) => `${path}: does not list ${code}`),
    ),
    ...codes
      .filter((code) => !pages.includes(code))
      .map((code) => `docs/errors/${code}.mdx: missing; every diagnostic code has a page`),
    ...codes
      .filter((code) => !shown.includes(code))
      .map(
        (code) =>
          `fixtures: no fixture shows ${code}; add a case to fixtures/pages, sites, checks or specs`,
      ),
    ...pages
      .filter((page) => page !== 'index' && !codes.includes(page))
      .map((page) => `docs/errors/${page}.mdx: there is no such code; remove the page`),
  ]
}

function checkFixtures(root: string): readonly string[] {
  const fixtures = join(root, 'fixtures')
  const names = ['pages', 'sites', 'specs', 'checks'].flatMap((kind) =>
    readdirSync(join(fixtures, kind)),
  )
  return checkFixtureList(readFileSync(join(fixtures, 'README.md'), 'utf8'), names)
}

/** Checks that the README of the fixtures names every folder. */
export function checkFixtureList(text: string, folders: readonly string[]): readonly string[] {
  const words = new Set(text.match(/[\w-]+/g))
  return folders
    .filter((name) => !words.has(name))
    .map((name) => `fixtures/README.md: does not list the folder ${name}`)
}

function checkDecisions(root: string): readonly string[] {
  const names = readdirSync(join(root, 'decisions')).filter((name) => name.endsWith('.md'))
  const numbers = names.map((name) => name.slice(0, 4))
  return names.flatMap((name, index) => {
    const path = `decisions/${name}`
    if (!/^\d{4}-[a-z\d-]+\.md$/.test(name)) return [`${path}: name it NNNN-title.md`]
    return numbers.indexOf(name.slice(0, 4)) === index
      ? []
      : [`${path}: its number is taken; renumber it`]
  })
}

function checkSizes(root: string): readonly string[] {
  return allFiles(root)
    .filter((file) => statSync(file).size > FILE_BYTES_MAX)
    .map(
      (file) => `${relative(root, file)}: larger than ${FILE_BYTES_MAX} bytes; generate it instead`,
    )
}

function sourceFiles(folder: string): readonly string[] {
  return allFiles(folder).filter((file) => /\.tsx?$/.test(file))
}

function textFiles(folder: string, ending = '.txt'): readonly string[] {
  return existsSync(folder) ? allFiles(folder).filter((file) => file.endsWith(ending)) : []
}

const NOT_OURS = new Set([
  'node_modules',
  'dist',
  '.octavo',
  '.git',
  '.cache',
  'coverage',
  'package-lock.json',
])

function allFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) return allFiles(path)
    return entry.isFile() ? [path] : []
  })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  if (process.argv.includes('--write-counts')) writeCounts(root, allFiles(root))
  const violations = tidy(root)
  for (const violation of violations) console.log(violation)
  console.log(violations.length === 0 ? 'tidy' : `\n${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
