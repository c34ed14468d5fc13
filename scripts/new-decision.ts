/**
 * `npx node scripts/new-decision.ts "Title"`: creates a decision with the next number from the
 * template.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from '@octavo/model'

const title = process.argv[2]
const folder = join(import.meta.dirname, '../decisions')
if (title === undefined) {
  console.log(
    'Give the decision a title: npx node scripts/new-decision.ts "Author problems are values"',
  )
  process.exit(2)
}
const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0)
const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
const path = join(folder, `${number}-${slug(title)}.md`)
const today = new Date().toISOString().slice(0, 10)
const sections = ['Context', 'Decision', 'Consequences', 'What we gave up']
const body = sections.map((section) => `## ${section}\n`).join('\n')
writeFileSync(path, `# ${number}. ${title}\n\n${today} · accepted\n\n${body}`, { flag: 'wx' })
console.log(path)
