/**
 * Measures how well questions find their pages, and whether unanswerable ones are recognized.
 * Measures the lexical engine, with vectors if they are installed, and compares plain BM25 and
 * vectors alone. The confidence intervals are from 1,000 bootstrap samples.
 *
 *   npm run lab bench/retrieval -- <questions folder> <folder of built sites> [folder with the model's packages]
 *
 * The questions folder has `*.jsonl` files whose lines name a site; each site is an output folder
 * of `octavo build` with that name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  askAll,
  evaluate,
  type QuestionResult,
} from '../../packages/cli/src/answers/evaluate-library.ts'
import { openFolder } from '../../packages/cli/src/answers/open-folder.ts'
import { createEmbedder, findModel } from '../../packages/embeddings/src/index.ts'
import {
  type LabeledQuestion,
  parseQuestions,
} from '../../packages/search/src/answers/parse-questions.ts'
import {
  type LibrarySection,
  languageWords,
  openLibrary,
  type SiteLibrary,
} from '../../packages/search/src/index.ts'
import { embedSite } from './answers/embed-site.ts'
import { plainBm25 } from './retrieval/plain-bm25.ts'

const [questionsFolder = '', sitesFolder = '', modelFolder = '.'] = process.argv.slice(2)
if (!existsSync(questionsFolder) || !existsSync(sitesFolder)) {
  console.log('Nothing to measure: name a folder of questions and a folder of built sites.')
  process.exit()
}

const READER = { hasSiteAccess: true, groups: new Set<string>() }
const SAMPLES = 1_000
const model = await findModel([modelFolder])
if (typeof model === 'string') console.log(`Without vectors: ${model}`)
const embedder = typeof model === 'string' ? undefined : createEmbedder(model)
const all = new Map<string, QuestionResult[]>()

for (const [site, questions] of readQuestions()) {
  const folder = join(sitesFolder, site)
  const deployment = await openFolder(folder)
  if (deployment === undefined) {
    console.log(`${site}: not built, skipped`)
    continue
  }
  const words = await openLibrary(deployment, { reader: READER })
  const methods: [name: string, library: SiteLibrary][] = [
    ['plain BM25', { ...words, search: plainBm25(await sectionsOf(words), languageWords('en')) }],
    ['engine', words],
  ]
  if (embedder !== undefined) {
    const vectors = await embedSite(folder, deployment, embedder)
    methods.push(
      [
        'MiniLM alone',
        await openLibrary(deployment, {
          reader: READER,
          vectors: { ...vectors, lexicalShare: 0 },
        }),
      ],
      ['engine and MiniLM', await openLibrary(deployment, { reader: READER, vectors })],
    )
  }
  console.log(`\n${site}, ${questions.length} questions`)
  for (const [name, library] of methods) {
    const results = await askAll(library, questions)
    all.set(name, [...(all.get(name) ?? []), ...results])
    console.log(printRow(name, results))
  }
}
embedder?.close()
console.log('\nall sites')
for (const [name, results] of all) console.log(printRow(name, results))

/** Returns all sections. Every section contains at least one of the letters it searches for. */
async function sectionsOf({ grep }: SiteLibrary): Promise<readonly LibrarySection[]> {
  const limit = Number.MAX_SAFE_INTEGER
  const found = await Promise.all('eatoin'.split('').map((letter) => grep(letter, { limit })))
  return [...new Set(found.flat())]
}

function readQuestions(): ReadonlyMap<string, readonly LabeledQuestion[]> {
  const bySite = new Map<string, LabeledQuestion[]>()
  for (const name of readdirSync(questionsFolder).filter((one) => /answerable\.jsonl$/.test(one))) {
    for (const line of readFileSync(join(questionsFolder, name), 'utf8').trim().split('\n')) {
      const parsed = parseQuestions(line)
      if (typeof parsed === 'string') throw new Error(`${name}: ${parsed}`)
      const { site } = JSON.parse(line) as { readonly site: string }
      bySite.set(site, [...(bySite.get(site) ?? []), ...parsed])
    }
  }
  return bySite
}

function printRow(name: string, results: readonly QuestionResult[]): string {
  const { recall, mrr, agreement } = evaluate(results)
  const at5 = interval(results.filter(({ isAnswerable }) => isAnswerable))
  const figures = [
    `R@1 ${recall[1].toFixed(2)}`,
    `R@5 ${recall[5].toFixed(2)} (${at5.map((one) => one.toFixed(2)).join('–')})`,
    `R@10 ${recall[10].toFixed(2)}`,
    `MRR ${mrr.toFixed(2)}`,
  ]
  // Only the product's engine decides whether there is an answer.
  if (name.startsWith('engine')) {
    figures.push(`AUC ${agreement.auc.toFixed(2)}`)
  }
  return `  ${name.padEnd(20)}${figures.join('  ')}`
}

/** Returns the 95 % bootstrap interval of recall at 5. */
function interval(results: readonly QuestionResult[]): readonly number[] {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const recalls = Array.from({ length: SAMPLES }, () => {
    const sample = results.map(() => results[Math.floor(next() * results.length)])
    return sample.filter((one) => (one?.place ?? 99) < 5).length / results.length
  }).sort((a, b) => a - b)
  return [recalls[SAMPLES * 0.025] ?? 0, recalls[SAMPLES * 0.975] ?? 0]
}
