/** Tests `octavo dev` with 200 destructive edits while pages are requested. */
import {
  copyFileSync,
  cpSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, RunningDev } from '../../testing/dev/running-dev.ts'

const EDITS = 200
const COUNT = 30

const FILES: Readonly<Record<string, string>> = {
  'docs.json': JSON.stringify({
    name: 'Chaos',
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          groups: [{ group: 'Guides', pages: { $ref: './pages.json' } }],
        },
        { tab: 'API', openapi: 'api/plants.yaml' },
      ],
    },
  }),
  'pages.json': JSON.stringify(['index', ...pageNames()]),
  'index.mdx': '---\ntitle: Start\n---\n\nWelcome.\n',
  'api/plants.yaml':
    "openapi: 3.1.0\ninfo: { title: Plants, version: '1' }\npaths:\n  /plants:\n    get:\n      summary: List\n      responses: { '200': { description: OK } }\n",
  'snippets/note.mdx': 'A note about **{what}**.\n',
  'images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"></svg>',
  'style.css': 'main { color: inherit }\n',
  ...Object.fromEntries(
    pageNames().map((name, index) => [
      `${name}.mdx`,
      `---\ntitle: Page ${index}\n---\nimport Note from '/snippets/note.mdx'\n\n# Words\n\n<Note what="${index}" />\n\n![Dot](/images/dot.svg)\n\n\`\`\`js\nconst a = ${index}\n\`\`\`\n`,
    ]),
  ),
}

function pageNames(): readonly string[] {
  return Array.from({ length: COUNT }, (_, index) => `guides/page-${index}`)
}

type Edit = (file: string, other: string) => void

const KINDS: readonly Edit[] = [
  (file) => truncateSync(file, 7),
  (file) => truncateSync(file, 0),
  (file) => rmSync(file),
  (file) => renameSync(file, `${file}.moved.mdx`),
  (file) => writeFileSync(file, '{"navigation": {"pages": [}'),
  (file) => writeFileSync(file, '---\ntitle: "a\n  - b: [\n---\n<Card\n'),
  (file) => writeFileSync(file, Buffer.from([0x2d, 0xff, 0xfe, 0xc3, 0x28, 0x00, 0x80])),
  (file, other) => swap(file, other),
  (file) => utimesSync(file, new Date(), new Date()),
  (file, other) => copyFileSync(file, other),
]

function swap(a: string, b: string): void {
  renameSync(a, `${a}.swap`)
  renameSync(b, a)
  renameSync(`${a}.swap`, b)
}

/** Returns a seeded random generator, so that each run makes the same edits. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('the dev server survives 200 destructive edits, and then serves the same pages as a new build', async () => {
  await using dev = await RunningDev.start(FILES)
  const below = random(9)
  let answers = 0
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const response = await fetch(`${dev.origin}/guides/page-${answers % COUNT}`)
      await response.text()
      expect([200, 404, 503]).toContain(response.status)
      answers += 1
    }
  })()
  for (let edit = 0; edit < EDITS; edit += 1) {
    const files = listFiles(dev.folder)
    const file = files[below(files.length)] ?? ''
    const other = files[below(files.length)] ?? ''
    const kind = KINDS[below(KINDS.length)]
    // If a file is missing or both are the same file, the edit does nothing.
    attempt(() => kind?.(join(dev.folder, file), join(dev.folder, other)))
    if (edit % 25 === 24) renewFolder(dev)
    await new Promise((resolve) => setTimeout(resolve, below(60)))
  }
  for (const file of listFiles(dev.folder)) rmSync(join(dev.folder, file))
  dev.write(FILES)
  const built = await dev.build()
  expect(built.size).toBe(COUNT + 2)
  const served = await eventually(
    () => servedPages(dev, built.keys()),
    (pages) => [...built].every(([path, html]) => pages.get(path) === html),
  )
  isDone = true
  await reading
  expect(dev.isRunning).toBe(true)
  expect(served).toEqual(built)
  expect(answers).toBeGreaterThan(EDITS / 4)
})

/** Replaces the folder with a copy of the same name, like a branch checkout. */
function renewFolder(dev: RunningDev): void {
  const guides = join(dev.folder, 'guides')
  attempt(() => {
    cpSync(guides, `${guides}-copy`, { recursive: true })
    rmSync(guides, { recursive: true })
    renameSync(`${guides}-copy`, guides)
  })
}

async function servedPages(
  dev: RunningDev,
  paths: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const path of paths) pages.set(path, await dev.page(path))
  return pages
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.octavo'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

function attempt(edit: () => void): void {
  try {
    edit()
  } catch {
    // An edit that fails is skipped.
  }
}
