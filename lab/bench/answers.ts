/**
 * Learns the weights that rank sections and recognize answers, and measures the result.
 * Each site is measured with weights that were learned from the other sites.
 *
 *   npm run lab bench/answers -- <questions folder> <folder of built sites> [folder with the model's packages] [--write] [--list]
 *
 * With the local model, questions are also compared by vectors. `--write` learns from all sites and
 * writes both sets of weights into packages/search. `--list` prints the questions whose answer is
 * not shown, and the excerpts that are wrongly called an answer.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolder } from '../../packages/cli/src/answers/open-folder.ts'
import { createEmbedder, type Embedder, findModel } from '../../packages/embeddings/src/index.ts'
import {
  ANSWER_SIGNALS,
  type AnswerSignals,
  answerLikelihood,
  answerSignals,
  isAnswer,
  type RankingWeights,
} from '../../packages/search/src/answers/answer-likelihood.ts'
import {
  isNew,
  MATCHES_MAX,
  quoteSection,
  type Shown,
} from '../../packages/search/src/answers/find-matches.ts'
import { hasPassage } from '../../packages/search/src/answers/passage-text.ts'
import type { RankedQuestion } from '../../packages/search/src/answers/question-ranking.ts'
import {
  type RankedCandidate,
  rankCandidates,
  type SectionWeights,
} from '../../packages/search/src/answers/rank-candidates.ts'
import { SECTION_SIGNALS } from '../../packages/search/src/answers/section-signals.ts'
import { openLibrary, sourceOf } from '../../packages/search/src/index.ts'
import { embedSite } from './answers/embed-site.ts'
import { type GoldQuestion, readGold } from './answers/gold-answers.ts'
import { type Learned, learnLikelihood, learnOrder, type Row } from './answers/learn-weights.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const [questionsFolder = '', sitesFolder = '', modelFolder = '.'] = positionals
if (!existsSync(questionsFolder) || !existsSync(sitesFolder)) {
  console.log('Nothing to measure: name a folder of questions and a folder of built sites.')
  process.exit()
}

const READER = { hasSiteAccess: true, groups: new Set<string>() }
const WEIGHTS = new URL('../../packages/search/src/answers/ranking-weights.ts', import.meta.url)
const DECAY = { order: 0.02, likelihood: 0.02 } as const

/** A question with everything that could be shown for it. */
type Case = {
  readonly gold: GoldQuestion
  readonly asked: RankedQuestion
  /** Returns the excerpt of a section. */
  readonly quote: (from: RankedCandidate) => Shown | undefined
  readonly rightSections: ReadonlySet<RankedCandidate['section']>
}

const model = await findModel([modelFolder])
const words = await measureWith(undefined)
if (typeof model === 'string') console.log(`Without vectors: ${model}`)
else {
  const embedder = createEmbedder(model)
  const meaning = await measureWith(embedder)
  embedder.close()
  if (values.write) writeWeights(words, meaning)
}

/** Prints the results, and returns the weights that were learned from all sites. */
async function measureWith(embedder: Embedder | undefined): Promise<RankingWeights> {
  console.log(embedder === undefined ? '\n# words' : '\n# words and vectors')
  const cases = await collectCases(readGold(questionsFolder), embedder)
  const sites = [...new Set(cases.map(({ gold }) => gold.site))]
  const results = sites.flatMap((site) => {
    const weights = learn(cases.filter(({ gold }) => gold.site !== site))
    return cases.filter(({ gold }) => gold.site === site).map((one) => judge(one, weights))
  })
  report(results)
  return learn(cases)
}

async function collectCases(
  questions: readonly GoldQuestion[],
  embedder: Embedder | undefined,
): Promise<readonly Case[]> {
  const found: Case[] = []
  for (const [site, own] of Map.groupBy(questions, (one) => one.site)) {
    const deployment = await openFolder(join(sitesFolder, site))
    if (deployment === undefined) {
      console.log(`${site}: not built, skipped`)
      continue
    }
    const vectors = embedder && (await embedSite(join(sitesFolder, site), deployment, embedder))
    const library = await openLibrary(deployment, { reader: READER, vectors })
    const texts = new Map<string, Promise<string | undefined>>()
    const read = (url: string) => {
      const text = texts.get(url) ?? library.read(url)
      texts.set(url, text)
      return text
    }
    for (const gold of own) {
      const asked = await library.rankSections(gold.question)
      const pages = new Map<string, string>()
      for (const { section } of asked.ranked)
        pages.set(sourceOf(section).url, (await read(sourceOf(section).url)) ?? section.text)
      found.push(caseOf(gold, asked, pages))
    }
  }
  return found
}

function caseOf(
  gold: GoldQuestion,
  asked: RankedQuestion,
  texts: ReadonlyMap<string, string>,
): Case {
  const quoted = new Map<RankedCandidate['section'], Shown | undefined>()
  const quote = (from: RankedCandidate) => {
    const { section } = from
    if (!quoted.has(section)) {
      const text = texts.get(sourceOf(section).url) ?? ''
      quoted.set(section, quoteSection(from, asked.question, text))
    }
    return quoted.get(section)
  }
  const right = asked.ranked.filter((from) => {
    const text = texts.get(sourceOf(from.section).url) ?? ''
    return hasPassage(text, gold.spans) && hasPassage(quote(from)?.match.text ?? '', gold.spans)
  })
  return { gold, asked, quote, rightSections: new Set(right.map(({ section }) => section)) }
}

function learn(from: readonly Case[]): RankingWeights {
  // Questions in readers' own words get triple weight: they are few here, but most real questions
  // are like them.
  const weighted = from.flatMap((one) => (one.gold.set === 'plain' ? [one, one, one] : [one]))
  const lists = weighted.map(({ asked, rightSections }) =>
    asked.ranked.map(({ section, signals }): Row => {
      const isRight = rightSections.has(section)
      return { signals: SECTION_SIGNALS.map((name) => signals[name]), isRight }
    }),
  )
  const sections = named(SECTION_SIGNALS, learnOrder(lists, DECAY.order))
  const rows = from.flatMap((one): readonly Row[] => {
    const [first, second] = showFor(one, sections)
    if (first === undefined) return []
    const signals = answerSignals({ ...first, second: second?.from, question: one.asked.question })
    const isRight = one.rightSections.has(first.from.section)
    return [{ signals: ANSWER_SIGNALS.map((name) => signals[name]), isRight }]
  })
  const likelihood = learnLikelihood(rows, DECAY.likelihood)
  return {
    sections,
    answers: { ...named(ANSWER_SIGNALS, likelihood), bias: rounded(likelihood.bias) },
  }
}

function named<Name extends string>(
  names: readonly Name[],
  { weights }: Learned,
): Readonly<Record<Name, number>> {
  const entries = names.map((name, at) => [name, rounded(weights[at] ?? 0)])
  return Object.fromEntries(entries) as Record<Name, number>
}

function rounded(weight: number): number {
  return Number(weight.toFixed(3))
}

/** Returns the excerpts that the product would show with other weights. */
function showFor({ asked, quote }: Case, weights: SectionWeights): readonly Shown[] {
  const shown: Shown[] = []
  for (const from of rankCandidates(asked.ranked, weights)) {
    if (shown.length === MATCHES_MAX) break
    const one = quote(from)
    if (one !== undefined && isNew(one, shown)) shown.push({ ...one, from })
  }
  return shown
}

type Judged = {
  readonly gold: GoldQuestion
  readonly shown: readonly Shown[]
  readonly likelihood: number
  readonly signals: AnswerSignals | undefined
  readonly isClaimed: boolean
  readonly isFirst: boolean
  readonly isShown: boolean
}

function judge(one: Case, { sections, answers }: RankingWeights): Judged {
  const { gold, asked, rightSections } = one
  const shown = showFor(one, sections)
  const [first, second] = shown
  const signals =
    first && answerSignals({ ...first, second: second?.from, question: asked.question })
  const isNamed = asked.question.parsed.missing.length === 0
  const likelihood = signals === undefined || !isNamed ? 0 : answerLikelihood(signals, answers)
  const isRight = ({ from }: Shown) => rightSections.has(from.section)
  const isFirst = first !== undefined && isRight(first)
  const isClaimed = first !== undefined && isAnswer(first, likelihood)
  return { gold, shown, likelihood, signals, isClaimed, isFirst, isShown: shown.some(isRight) }
}

function report(judged: readonly Judged[]): void {
  for (const [set, ofSet] of Map.groupBy(judged, ({ gold }) => gold.set)) {
    print(`${set}, all`, ofSet)
    printLimits(ofSet)
    for (const [site, own] of Map.groupBy(ofSet, ({ gold }) => gold.site))
      print(`${set}, ${site}`, own)
  }
  if (!values.list) return
  for (const { gold, shown, likelihood, isClaimed, isShown } of judged) {
    if (isShown || (gold.spans.length === 0 && !isClaimed)) continue
    const kind = isClaimed ? 'FALSE' : 'missed'
    console.log(
      `\n${kind} ${likelihood.toFixed(2)} ${gold.site}: ${gold.question}\n  gold: ${gold.spans[0] ?? 'none'}`,
    )
    for (const { match } of shown)
      console.log(`  ${match.url}: ${match.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`)
  }
}

/** Prints how many answers would be claimed with other likelihood limits. */
function printLimits(judged: readonly Judged[]): void {
  console.log('\nlimit  claimed  in sight  false claims')
  for (const limit of [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]) {
    const claimed = judged.filter(({ likelihood }) => likelihood > limit)
    const known = claimed.filter(({ gold }) => gold.spans.length > 0)
    const seen = known.filter(({ isShown }) => isShown)
    const row = [known.length, seen.length, claimed.length - known.length]
    console.log(`${limit.toFixed(2)}   ${row.map((count) => String(count).padEnd(9)).join('')}`)
  }
}

function print(name: string, judged: readonly Judged[]): void {
  const answerable = judged.filter(({ gold }) => gold.spans.length > 0)
  const others = judged.filter(({ gold }) => gold.spans.length === 0)
  const isClaimed = (one: Judged) => one.isClaimed
  const claimed = answerable.filter(isClaimed)
  console.log(`\n${name}`)
  console.log(
    `  shown first     ${share(
      answerable.filter((one) => one.isFirst),
      answerable,
    )}`,
  )
  console.log(
    `  shown           ${share(
      answerable.filter((one) => one.isShown),
      answerable,
    )}`,
  )
  console.log(`  marked answered ${share(claimed, answerable)}`)
  console.log(
    `    in sight      ${share(
      claimed.filter((one) => one.isShown),
      claimed,
    )}`,
  )
  console.log(
    `    first         ${share(
      claimed.filter((one) => one.isFirst),
      claimed,
    )}`,
  )
  console.log(`  false claim     ${share(others.filter(isClaimed), others)}`)
}

/** Prints a share with its 95 % confidence interval (Wilson). */
function share(part: readonly unknown[], whole: readonly unknown[]): string {
  const total = whole.length
  if (total === 0) return '–'
  const z = 1.96
  const of = part.length / total
  const middle = (of + (z * z) / (2 * total)) / (1 + (z * z) / total)
  const half =
    (z * Math.sqrt((of * (1 - of)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total)
  const percent = (number: number) => `${Math.round(100 * Math.max(0, number))} %`
  return `${percent(of).padStart(5)}  ${part.length} of ${total}, ${percent(middle - half)} to ${percent(middle + half)}`
}

function writeWeights(words: RankingWeights, meaning: RankingWeights): void {
  const print = (name: string, weights: Readonly<Record<string, number>>) => {
    const lines = Object.entries(weights).map(([signal, weight]) => `    ${signal}: ${weight},\n`)
    return `  ${name}: {\n${lines.join('')}  },\n`
  }
  const set = (name: string, { sections, answers }: RankingWeights) =>
    `export const ${name}: RankingWeights = {\n${print('sections', sections)}${print('answers', answers)}}\n`
  writeFileSync(
    WEIGHTS,
    `/** Written by \`npm run lab bench/answers -- <questions> <sites> <model folder> --write\`. */
import type { RankingWeights } from './answer-likelihood.ts'

/** For questions that are compared by words only. */
${set('WORDS_WEIGHTS', words)}
/** For questions that are also compared by vectors. */
${set('MEANING_WEIGHTS', meaning)}`,
  )
}
