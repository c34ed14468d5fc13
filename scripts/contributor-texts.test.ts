/** Tests that documents for contributors stay short and refer to existing files and folders. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FOLDER_ORDER } from './tidy.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const INVARIANTS = 'docs/contribute/invariants.mdx'
const TEXTS = [
  ...['AGENTS.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md'],
  ...['README.md', 'RELEASING.md', 'STYLE.md'],
  ...globSync(['docs/contribute/*.mdx', 'packages/*/README.md', 'lab/README.md'], { cwd: root }),
]
const PATH_IN_CODE = /`((?!\/)[\w./-]+(?:\.(?:tsx?|sql|mdx?|json|yml|txt|css)|\/))`/g
const LAB_COMMAND = /`npm run lab ([\w-]+\/[\w-]+)/g

const known = findKnownPaths()

test.each(TEXTS)('%s refers only to existing files and folders', (text) => {
  const paths = [...read(text).matchAll(PATH_IN_CODE)].map(([, path = '']) => path)
  const programs = [...read(text).matchAll(LAB_COMMAND)].map(([, name]) => `lab/${name}.ts`)
  expect([...paths, ...programs].filter((path) => !known.has(path))).toEqual([])
})

describe('invariants', () => {
  const rows = readInvariants(INVARIANTS)

  test('each invariant has a unique number and names a test, lab program or rule that checks it', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    const checked = /\.test\.ts`|`npm run lab |`tidy`|parse-[a-z]+\.ts`/
    expect(rows.filter(({ shownBy }) => !checked.test(shownBy))).toEqual([])
  })

  test('ARCHITECTURE.md repeats twelve invariants word for word', () => {
    const twelve = readInvariants('ARCHITECTURE.md')
    expect(twelve).toHaveLength(12)
    const textOf = new Map(rows.map(({ number, text }) => [number, text]))
    expect(twelve.filter(({ number, text }) => textOf.get(number) !== text)).toEqual([])
  })
})

test('ARCHITECTURE.md has at most 10,240 bytes', () => {
  expect(Buffer.byteLength(read('ARCHITECTURE.md'))).toBeLessThanOrEqual(10_240)
})

test('CONTRIBUTING.md has at most 60 lines', () => {
  expect(countLines(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(60)
})

describe.each(Object.entries(FOLDER_ORDER))('README of packages/%s', (name, folders) => {
  const text = read(`packages/${name}/README.md`)

  test('the README of a package has 10 to 30 lines', () => {
    expect(countLines(text)).toBeGreaterThanOrEqual(10)
    expect(countLines(text)).toBeLessThanOrEqual(30)
  })

  test('the README of a package lists its folders in import order', () => {
    const listed = [...text.matchAll(/^\| (`.+?) \| (.+) \|$/gm)].flatMap(
      ([, first = '', second = '']) => {
        const [area = '', ...others] = foldersIn(first)
        const hasFolders = folders.some((folder) => folder.startsWith(`${area}/`))
        return [
          area,
          ...others,
          ...(hasFolders ? foldersIn(second).map((name) => `${area}/${name}`) : []),
        ]
      },
    )
    expect(listed).toEqual(folders)
  })
})

type Invariant = { readonly number: string; readonly text: string; readonly shownBy: string }

function readInvariants(path: string): readonly Invariant[] {
  return [...read(path).matchAll(/^\| (\d+) \| (.+?) \| (.+) \|$/gm)].map(
    ([, number = '', text = '', shownBy = '']) => ({ number, text, shownBy }),
  )
}

function foldersIn(text: string): readonly string[] {
  return [...text.matchAll(/`([\w-]+)\/`/g)].map(([, name = '']) => name)
}

function countLines(text: string): number {
  return text.trimEnd().split('\n').length
}

/**
 * Returns all suffixes of the paths of all files and folders, and the same paths without
 * `packages/` and `src/`.
 */
function findKnownPaths(): ReadonlySet<string> {
  const files = globSync(
    ['*', '{.github,packages,scripts,lab,docs,fixtures,decisions,deploy}/**'],
    {
      cwd: root,
      withFileTypes: true,
      exclude: (entry) => ['node_modules', '.octavo'].includes(entry.name),
    },
  )
  const paths = files.map((entry) => {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1)
    return entry.isDirectory() ? `${path}/` : path
  })
  const short = paths.map((path) => path.replace(/^packages\/([\w-]+)\/(?:src\/)?/, '$1/'))
  return new Set([...paths, ...short].flatMap(pathSuffixes))
}

function pathSuffixes(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}
