/**
 * Measures whether `octavo eval --against` notices that an answer was removed.
 * One kind of edit removes all sections with passages that answer a question, which must then be
 * reported as lost. The other kind is harmless, so that no question may be reported. Several edits
 * of different pages share a build. Each removal is judged by its own questions, and a batch has at
 * most one false alarm for each harmless edit.
 *
 *   npm run lab bench/answer-regression -- <questions folder> <folder of sources> [--edits 200] [--together 10]
 *
 * The sources are documentation folders with the names of sites; a copy is edited.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSiteLibrary } from '../../packages/cli/src/answers/open-site-library.ts'
import type { CommandContext } from '../../packages/cli/src/context/command-context.ts'
import type { LabeledQuestion } from '../../packages/search/src/answers/parse-questions.ts'
import { hasPassage } from '../../packages/search/src/answers/passage-text.ts'
import {
  type AnswerChange,
  compareAnswers,
  type ShownAnswer,
  showAnswer,
} from '../../packages/search/src/answers/shown-answers.ts'
import {
  editHarmlessly,
  type PageEdit,
  readSources,
  removeSections,
  sourceOfPage,
} from './answers/edit-pages.ts'
import { readGold } from './answers/gold-answers.ts'

const [questionsFolder = '', sourcesFolder = ''] = process.argv.slice(2)
if (!existsSync(questionsFolder) || !existsSync(sourcesFolder)) {
  console.log('Nothing to measure: name a folder of questions and a folder of sources.')
  process.exit()
}

const EDITS = numberOf('--edits', 200)
const TOGETHER = numberOf('--together', 10)
const world: CommandContext = {
  args: [],
  cwd: sourcesFolder,
  env: { NO_COLOR: '1', FORCE_COLOR: undefined },
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  out: process.stdout,
  err: { write: () => true },
}

const bySite = Map.groupBy(readGold(questionsFolder), ({ site }) => site)
const sites = [...bySite].filter(([site]) => existsSync(join(sourcesFolder, site)))
const perSite = Math.ceil(EDITS / sites.length)
const totals = { removed: 0, reported: 0, edits: 0, alarms: 0 }
for (const [site, gold] of sites) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-lab-answers-'))
  cpSync(join(sourcesFolder, site), folder, { recursive: true })
  const questions = gold.map(({ question, pages, spans }) => {
    return { question, pages: new Set(pages), passages: spans }
  })
  const before = await ask(folder, questions)
  await measureRemoved(folder, questions, before)
  await measureHarmless(folder, questions, before)
  rmSync(folder, { recursive: true, force: true })
  console.log(`${site}: ${JSON.stringify(totals)} so far`)
}
console.log(`\nremoved sections reported: ${totals.reported} of ${totals.removed}`)
console.log(`harmless edits with a false alarm: at most ${totals.alarms} of ${totals.edits}`)

async function measureRemoved(
  folder: string,
  questions: readonly LabeledQuestion[],
  before: readonly ShownAnswer[],
): Promise<void> {
  const sources = readSources(folder)
  const removals = questions
    .map((question) => ({ question, edits: removalsOf(folder, question) }))
    .filter(({ question, edits }) => isRemoved(sources, edits, question))
    .slice(0, perSite)
  for (const batch of batches(removals, ({ edits }) => edits.map(({ file }) => file))) {
    const own = new Set(batch.map(({ question }) => question.question))
    const changes = await compareEdited(
      folder,
      batch.flatMap(({ edits }) => edits),
      {
        questions: questions.filter(({ question }) => own.has(question)),
        before,
      },
    )
    const lost = new Set(lostIn(changes))
    totals.removed += batch.length
    totals.reported += lost.size
    for (const name of own) if (!lost.has(name)) console.log(`  not reported: ${name}`)
  }
}

/**
 * Checks whether the edits remove all passages. A passage may remain in another source, such as a
 * snippet or a specification.
 */
function isRemoved(
  sources: ReadonlyMap<string, string>,
  edits: readonly PageEdit[],
  { passages }: LabeledQuestion,
): boolean {
  if (edits.length === 0) return false
  const edited = new Map([...sources, ...edits.map(({ file, text }) => [file, text] as const)])
  return [...edited.values()].every((text) => !hasPassage(text, passages))
}

/** Returns edits that remove every section that contains one of the passages. */
function removalsOf(folder: string, { pages, passages }: LabeledQuestion): readonly PageEdit[] {
  return [...pages].flatMap((page) => {
    const file = sourceOfPage(folder, page)
    const edit = file === undefined ? undefined : removeSections(file, passages)
    return edit ?? []
  })
}

async function measureHarmless(
  folder: string,
  questions: readonly LabeledQuestion[],
  before: readonly ShownAnswer[],
): Promise<void> {
  const pages = [...new Set(questions.flatMap((one) => [...one.pages]))]
  const files = pages.flatMap((page) => sourceOfPage(folder, page) ?? [])
  const edits = files.slice(0, perSite).map((file, at) => editHarmlessly(file, at))
  for (const batch of batches(edits, ({ file }) => [file])) {
    const lost = lostIn(await compareEdited(folder, batch, { questions, before }))
    totals.edits += batch.length
    totals.alarms += Math.min(lost.length, batch.length)
    for (const name of lost) console.log(`  false alarm: ${name}`)
  }
}

function lostIn(changes: readonly AnswerChange[]): readonly string[] {
  return changes.filter(({ kind }) => kind === 'lost').map(({ now }) => now.question)
}

async function compareEdited(
  folder: string,
  edits: readonly PageEdit[],
  {
    questions,
    before,
  }: { readonly questions: readonly LabeledQuestion[]; readonly before: readonly ShownAnswer[] },
): Promise<readonly AnswerChange[]> {
  const originals = new Map(edits.map(({ file }) => [file, readFileSync(file, 'utf8')]))
  for (const { file, text } of edits) writeFileSync(file, text)
  try {
    return compareAnswers(before, await ask(folder, questions))
  } finally {
    for (const [file, text] of originals) writeFileSync(file, text)
  }
}

async function ask(
  folder: string,
  questions: readonly LabeledQuestion[],
): Promise<readonly ShownAnswer[]> {
  const options = { folder, vectors: 'off', scope: undefined, offline: true } as const
  const opened = await openSiteLibrary(world, { ...options, allowPrivateHosts: [] })
  if (typeof opened === 'string') throw new Error(opened)
  const shown: ShownAnswer[] = []
  for (const question of questions) shown.push(await showAnswer(opened.library, question))
  opened.close()
  return shown
}

/** Groups edits into batches in which every edit is in a different file. */
function batches<Item>(
  items: readonly Item[],
  filesOf: (item: Item) => readonly string[],
): readonly (readonly Item[])[] {
  const all: { readonly items: Item[]; readonly files: Set<string> }[] = []
  for (const item of items) {
    const files = filesOf(item)
    const found = all.find((one) => {
      return one.items.length < TOGETHER && !files.some((file) => one.files.has(file))
    })
    const batch = found ?? { items: [], files: new Set<string>() }
    if (found === undefined) all.push(batch)
    batch.items.push(item)
    for (const file of files) batch.files.add(file)
  }
  return all.map((one) => one.items)
}

function numberOf(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
