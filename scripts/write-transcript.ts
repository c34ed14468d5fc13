/**
 * Writes docs/reference/diagnostics.mdx: our own docs.json broken in ten ways, with the output of
 * `octavo check` for each. With --check it only reports if the page is up to date.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/cli/src/context/system-clock.ts'
import { run } from '../packages/cli/src/run.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/reference/diagnostics.mdx')

type Mistake = { readonly about: string; readonly find: string; readonly put: string }

const MISTAKES: readonly Mistake[] = [
  {
    about: 'Trailing comma',
    find: '"start/comparison"\n            ]',
    put: '"start/comparison",\n            ]',
  },
  {
    about: 'Missing comma',
    find: '"name": "Octavo",\n',
    put: '"name": "Octavo"\n',
  },
  {
    about: 'Misspelled key',
    find: '"description": "An open',
    put: '"descripton": "An open',
  },
  {
    about: 'Two kinds of children on one level',
    find: '"navigation": {\n',
    put: '"navigation": {\n    "anchors": [{ "anchor": "Blog", "href": "https://example.com" }],\n',
  },
  {
    about: 'Missing page',
    find: '"reference/navigation"',
    put: '"reference/navigations"',
  },
  {
    about: 'Invalid value',
    find: '"directory": "accordion"',
    put: '"directory": "acordion"',
  },
  {
    about: 'Wrong type, and a group without a name',
    find: '{\n            "group": "Pages",\n            "pages": [',
    put: '{\n            "title": "Pages",\n            "expanded": "yes",\n            "pages": [',
  },
  {
    about: 'The same page twice in one list',
    find: '"reference/limits"\n',
    put: '"reference/limits",\n              "reference/cli"\n',
  },
  {
    about: 'Operation without an OpenAPI document, and a path outside the folder',
    find: '"reference/limits"\n',
    put: '"reference/limits",\n              "GET /plants",\n              "../secrets"\n',
  },
  {
    about: 'Redirect loop, and a redirect that is never used',
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
    'docs/reference/diagnostics.mdx is not true any more. Run `npm run generate`, read the diff.',
  )
  process.exitCode = 1
}

async function printPage(): Promise<string> {
  const parts: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'octavo-transcript-'))
  try {
    // One copy for all mistakes, so that pages are compiled only once.
    cpSync(join(root, 'docs'), folder, { recursive: true })
    const whole = readFileSync(join(folder, 'docs.json'), 'utf8')
    writeFileSync(join(folder, 'reference/diagnostics.mdx'), '# Example error messages\n')
    for (const [index, { about, find, put }] of MISTAKES.entries()) {
      if (!whole.includes(find)) throw new Error(`docs.json no longer has ${find}`)
      writeFileSync(
        join(folder, 'docs.json'),
        whole.replace(find, () => put),
      )
      const printed = await check(folder)
      parts.push(
        `## ${index + 1}. ${about}\n\n\`\`\`text octavo check docs\n${printed.trimEnd()}\n\`\`\`\n`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const intro = `---
title: Example error messages
description: "Ten common mistakes in docs.json and the messages that octavo check prints."
---

{/* Written by \`npm run generate\`; \`npm run check\` says when it is no longer true. */}

\`octavo check\` reports each mistake with its code, location, reason and a hint. The examples on this page
break the docs.json of this site in ten ways. Each [error code](/errors/index) has a page with more details.
`
  return `${intro}\n${parts.join('\n')}`
}

async function check(folder: string): Promise<string> {
  let printed = ''
  const stream = { write: (part: string) => (printed += part) }
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined }
  const args = ['check', folder]
  await run({ args, cwd: root, env, clock: systemClock, out: stream, err: stream })
  return printed
}
