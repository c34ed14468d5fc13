/**
 * Writes docs/reference/diagnostics.mdx: our own docs.json broken in ten ways, and what
 * `octavo check` says each time. With --check it only says whether the page is still true.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../packages/cli/src/run.ts'
import { systemClock } from '../packages/cli/src/system-clock.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/reference/diagnostics.mdx')

type Mistake = { readonly about: string; readonly find: string; readonly put: string }

const MISTAKES: readonly Mistake[] = [
  {
    about: 'A comma too many, the mistake of every JSON file',
    find: '"start/comparison"\n        ]',
    put: '"start/comparison",\n        ]',
  },
  {
    about: 'A comma too few',
    find: '"name": "Octavo",\n',
    put: '"name": "Octavo"\n',
  },
  {
    about: 'A misspelt key',
    find: '"description": "An open',
    put: '"descripton": "An open',
  },
  {
    about: 'Two kinds of children on one level',
    find: '"navigation": {\n',
    put: '"navigation": {\n    "tabs": [{ "tab": "Blog", "href": "https://example.com" }],\n',
  },
  {
    about: 'A page that is not there',
    find: '"reference/navigation"',
    put: '"reference/navigations"',
  },
  {
    about: 'A value that is not allowed',
    find: '"directory": "accordion"',
    put: '"directory": "acordion"',
  },
  {
    about: 'The wrong type, and the name of a group forgotten',
    find: '{\n        "group": "Reference",\n        "pages": [',
    put: '{\n        "title": "Reference",\n        "expanded": "yes",\n        "pages": [',
  },
  {
    about: 'The same page twice in one list',
    find: '"reference/limits",',
    put: '"reference/limits",\n          "reference/cli",',
  },
  {
    about: 'An operation where no specification is in scope, and a path that leaves the folder',
    find: '"reference/limits",',
    put: '"reference/limits",\n          "GET /plants",\n          "../secrets",',
  },
  {
    about: 'A redirect that never ends, and one that is never reached',
    find: '"navigation": {\n',
    put: `"redirects": [
    { "source": "/old", "destination": "/older" },
    { "source": "/older", "destination": "/old" },
    { "source": "/reference/cli", "destination": "/reference/limits" }
  ],
  "navigation": {\n`,
  },
]

const text = await printPage()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (readFileSync(page, 'utf8') !== text) {
  console.log(
    'docs/reference/diagnostics.mdx is not true any more. Run `npm run transcript`, read the diff.',
  )
  process.exitCode = 1
}

async function printPage(): Promise<string> {
  const whole = readFileSync(join(root, 'docs/docs.json'), 'utf8')
  const parts: string[] = []
  for (const [index, { about, find, put }] of MISTAKES.entries()) {
    if (!whole.includes(find)) throw new Error(`docs.json no longer has ${find}`)
    const printed = await checkWith(whole.replace(find, () => put))
    parts.push(
      `## ${index + 1}. ${about}\n\n\`\`\`text octavo check docs\n${printed.trimEnd()}\n\`\`\`\n`,
    )
  }
  const intro = `---
title: Ten mistakes
description: "Our own docs.json broken in ten ways, and what octavo check says."
---

{/* Written by \`npm run transcript\`; \`npm run check\` says when it is no longer true. */}

\`octavo check\` reports every mistake with its code, its place, the reason and what to do. Here the
docs.json of this very site is broken in ten ways, one after the other. Each [code](/errors/index)
has a page that says more.
`
  return `${intro}\n${parts.join('\n')}`
}

/** Checks a copy of docs/ with another docs.json. */
async function checkWith(config: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-transcript-'))
  try {
    cpSync(join(root, 'docs'), folder, { recursive: true })
    writeFileSync(join(folder, 'docs.json'), config)
    writeFileSync(join(folder, 'reference/diagnostics.mdx'), '# Ten mistakes\n')
    let printed = ''
    const stream = { write: (part: string) => (printed += part) }
    const env = { NO_COLOR: '1', FORCE_COLOR: undefined }
    const args = ['check', folder]
    await run({ args, cwd: root, env, clock: systemClock, out: stream, err: stream })
    return printed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
