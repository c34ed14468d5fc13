/**
 * Tests that our documentation is complete: it uses every component and documents every key of
 * docs.json.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { COMMAND_NAMES, COMMANDS } from '../packages/cli/src/command-table.ts'
import { githubWorkflow } from '../packages/cli/src/commands/github-workflow.ts'
import { printHelp } from '../packages/cli/src/print-help.ts'
import { COMPONENTS } from '../packages/content/src/allowed/components.ts'
import { NODE_VERSION_MIN } from '../packages/model/src/node-version.ts'
import { FAULT_CODES } from '../packages/service/src/app/commands/doctor/finding.ts'
import { HELP } from '../packages/service/src/app/commands/help.ts'
import { ENVIRONMENT_NAMES } from '../packages/service/src/app/settings/env.ts'
import { PROBLEMS } from '../packages/service/src/platform/problem.ts'

const docs = join(import.meta.dirname, '../docs')
const read = (path: string) => readFileSync(join(docs, path), 'utf8')

test('the component pages have a live example of every component', () => {
  const pages = readdirSync(join(docs, 'components')).map((name) => read(`components/${name}`))
  const live = pages.map(withoutCode).join('\n')
  const missing = [...COMPONENTS].filter((name) => !live.includes(`<${name}`))
  // Authors write a diagram as a code block, not as a component.
  expect(missing).toEqual(['Mermaid'])
  expect(pages.join('\n')).toContain('\n```mermaid\n')
})

test('the reference documents every docs.json key with its path', () => {
  // Tables of old keys, and of mint.json, have some of the same keys.
  const [page = ''] = read('reference/docs-json.mdx').split('\n## Old keys\n')
  const names = page + read('reference/navigation.mdx')
  const keys = keysOf(readSchema())
  expect(keys).toContain('footer.links[].items[].href')
  const missing = keys.filter((key) =>
    key.startsWith('#') ? !names.includes(`\`${nameOf(key)}\``) : !hasRow(key, page),
  )
  expect(missing).toEqual([])
})

test('a docs.json key is only documented if a row has its path', () => {
  const page = '\n| `footer.links` | list of objects | `header` |\n| `header` | string | |\n'
  expect(hasRow('footer', page)).toBe(true)
  expect(hasRow('footer.links', page)).toBe(true)
  expect(hasRow('links', page)).toBe(false)
  expect(hasRow('footer.links[].header', page)).toBe(false)
})

test('the reference shows the output of `octavo --help`', () => {
  expect(read('reference/cli.mdx')).toContain(
    `\`\`\`text octavo --help\n${printHelp(undefined)}\`\`\`\n`,
  )
})

test('the reference documents every option of every command', () => {
  const sections = read('reference/cli.mdx').split(/^## octavo /m)
  const missing = COMMAND_NAMES.flatMap((command) => {
    const section = sections.find((text) => text.startsWith(`${command}\n`)) ?? ''
    // Network options are documented once for all commands.
    const all = COMMANDS[command].options.map(({ name }) => name)
    const own = all.filter((name) => !/^(?:offline|allow-private-host)$/.test(name))
    return own.filter((name) => !section.includes(`--${name}`)).map((name) => `${command} ${name}`)
  })
  expect(missing).toEqual([])
})

test('the operator pages show the output of `octavo-service --help`', () => {
  expect(read('operate/commands.mdx')).toContain(
    `\`\`\`text octavo-service --help\n${HELP}\`\`\`\n`,
  )
})

test('the operator pages document every environment variable of the service', () => {
  const page = read('operate/environment.mdx')
  expect(ENVIRONMENT_NAMES.filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([])
})

test('the page about `octavo-service doctor` lists every code', () => {
  const page = read('operate/doctor.mdx')
  expect(FAULT_CODES.filter((code) => !page.includes(`\n| \`${code}\` | `))).toEqual([])
})

test('the page about API errors lists every code with its status', () => {
  const page = read('api/errors.mdx')
  const rows = Object.entries(PROBLEMS).map(([code, { status }]) => `\n| \`${code}\` | ${status} |`)
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})

test('the GitHub Pages guide shows the workflow that `octavo init` writes', () => {
  const workflow = githubWorkflow({ folder: 'docs', hasLock: true })
  expect(read('deploy/github-pages.mdx')).toContain(`docs.yml\n${workflow}\`\`\`\n`)
})

test('the custom domains page shows the files of deploy/ without their comments', () => {
  const page = linesOf(read('operate/domains.mdx'))
  for (const file of [
    'caddy/Caddyfile',
    'subpath/Caddyfile',
    'subpath/nginx.conf',
    'subpath/vercel.json',
  ])
    expect(page, file).toContain(linesOf(readFileSync(join(docs, '../deploy', file), 'utf8')))
})

test('the security review page refers only to existing files', () => {
  const paths = read('operate/security-review.mdx').matchAll(
    /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|md|yml|sql))`/g,
  )
  const places = [...paths].map(([, path = '']) => [
    `../packages/service/src/${path}`,
    `../${path}`,
  ])
  expect(places.length).toBeGreaterThan(40)
  expect(places.filter((names) => !names.some((name) => existsSync(join(docs, name))))).toEqual([])
})

test('every document names the Node version that `octavo` requires', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.mdx'))
    .map((path) => join('docs', path))
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    'scripts/build/octavo.md',
    'scripts/build/octavo-service.md',
    ...pages,
  ]
  const others = texts.flatMap((path) =>
    [...read(`../${path}`).matchAll(/\bNode(?:\.js)? v?(\d[\d.]*\d)/g)]
      .filter(([, version]) => version !== NODE_VERSION_MIN)
      .map(([text]) => `${path}: ${text}`),
  )
  expect(others).toEqual([])
})

test('the GitHub Actions guide lists every input of the action', () => {
  const { inputs } = load(read('../action.yml')) as { readonly inputs: object }
  const page = read('deploy/github-actions.mdx')
  const rows = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(Object.keys(inputs).toSorted())
})

/** Returns text without indentation, empty lines and comments. */
function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !/^# |^#$/.test(line)).join('\n')
}

/** Returns text without code blocks and inline code. */
function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}).*$[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]+`/g, '')
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
}

function readSchema(): Schema {
  return JSON.parse(readFileSync(join(docs, '../docs.schema.json'), 'utf8')) as Schema
}

/**
 * Returns the paths of all keys, such as `seo.paths[].path`. A path starts with `#` if its last name
 * may be documented alone: keys of navigation elements, which can be nested in any order, keys of an
 * icon, and names in a map.
 */
function keysOf(schema: Schema): readonly string[] {
  const { definitions = {} } = schema
  const keys = new Set<string>()
  const resolved = new Set<string>()
  const walk = (node: Schema, path: string): void => {
    for (const part of [node.anyOf, node.oneOf, node.allOf].flat()) {
      if (part !== undefined) walk(part, path)
    }
    const target = node.$ref?.replace('#/definitions/', '') ?? ''
    const definition = definitions[target]
    const isNamed = path.startsWith('#') || path === 'navigation' || target === 'icon'
    if (definition !== undefined && !isNamed) {
      resolved.add(target)
      walk(definition, path)
    }
    if (node.items !== undefined) walk(node.items, `${path}[]`)
    const isMap = typeof node.additionalProperties === 'object'
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      // Any value can be moved to a separate file with `$ref`, which is documented once.
      if (name === '$ref') continue
      const key = `${isMap ? '#' : ''}${path === '' ? name : `${path}.${name}`}`
      keys.add(key)
      walk(child, key)
    }
  }
  walk(schema, '')
  for (const [name, definition] of Object.entries(definitions)) {
    if (!resolved.has(name)) walk(definition, `#${name}`)
  }
  return [...keys]
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('.') + 1)

function hasRow(key: string, page: string): boolean {
  // An object counts as documented if one of its properties is.
  if (page.includes(`\n| \`${key}\` |`) || page.includes(`\n| \`${key}.`)) return true
  const name = nameOf(key)
  const parent = key.slice(0, -name.length - 1)
  const like = findLike(parent, page)
  return like !== undefined && hasRow(`${like}.${name}`, page)
}

/** Returns the path under which the page documents an object with the same keys. */
function findLike(path: string, page: string): string | undefined {
  const owner = path.replace(/\[\]$/, '')
  const type = page.split(`\n| \`${owner}\` | `)[1]?.split(' |', 1)[0] ?? ''
  if (owner === path) return /^object as `(.+?)`/.exec(type)?.[1]
  return type.endsWith('object or list') ? owner : undefined
}
