/**
 * Writes docs/reference/diagnostics.mdx, which shows the output of `octavo check` for ten mistakes
 * in the docs.json of a new site. With --check, only reports whether the page is up to date.
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
  { about: 'Trailing comma', find: '"quickstart"]', put: '"quickstart",]' },
  { about: 'Missing comma', find: '"name": "My docs",', put: '"name": "My docs"' },
  { about: 'Misspelled key', find: '"description"', put: '"descripton"' },
  {
    about: 'Two kinds of children on one level',
    find: '"navigation": {\n',
    put: '"navigation": {\n    "anchors": [{ "anchor": "Blog", "href": "https://example.com" }],\n',
  },
  { about: 'Missing page', find: '"guides/writing"', put: '"guides/writting"' },
  { about: 'Invalid value', find: '"type": "button"', put: '"type": "buton"' },
  {
    about: 'Wrong type, and a group without a name',
    find: '{ "group": "Start",',
    put: '{ "title": "Start", "expanded": "yes",',
  },
  {
    about: 'The same page twice in one list',
    find: '"quickstart"]',
    put: '"quickstart", "index"]',
  },
  {
    about: 'Operation without an OpenAPI document, and a path outside the folder',
    find: '"quickstart"]',
    put: '"quickstart", "GET /plants", "../secrets"]',
  },
  {
    about: 'Redirect loop, and a redirect that is never used',
    find: '"navigation": {\n',
    put: `"redirects": [
    { "source": "/old", "destination": "/older" },
    { "source": "/older", "destination": "/old" },
    { "source": "/guides/writing", "destination": "/quickstart" }
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
    // All mistakes are made in the same copy, so that pages are compiled only once.
    for (const part of ['shared', 'api'])
      cpSync(join(root, 'packages/cli/templates', part), folder, { recursive: true })
    const whole = readFileSync(join(folder, 'docs.json'), 'utf8')
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
break the docs.json that \`octavo init\` writes in ten ways. Each [error code](/errors/index) has a page with more details.
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
