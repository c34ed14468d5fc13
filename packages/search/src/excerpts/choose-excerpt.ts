/**
 * Chooses the part of a section to show for a question: adjacent units that fit in the space and
 * cover the question best. The text is quoted unchanged.
 */
import { type ExcerptUnit, excerptUnits } from './excerpt-units.ts'

/** A word of the question with its significance on the site. */
export type WeightedWord = {
  readonly term: string
  readonly weight: number
  /** Synonyms of the term. */
  readonly others: readonly string[]
}

export type ExcerptQuestion = {
  readonly words: readonly WeightedWord[]
  /** True if the question asks for a number: how long, how many, which limit. */
  readonly wantsNumber: boolean
  /** Returns the terms of the text, without function words. */
  readonly termsOf: (text: string) => readonly string[]
}

export type Excerpt = {
  readonly text: string
  /** The share of the question's weight that the excerpt and its label cover. */
  readonly coverage: number
  /** The highest value of a single unit. */
  readonly best: number
  /** How well the excerpt's label matches the question. */
  readonly label: number
  readonly hasNumber: boolean
  /** False if the unit with the highest value is code. */
  readonly isProse: boolean
  /** True if the excerpt is code without a sentence or a title above it. */
  readonly isCodeOnly: boolean
}

/** Maximum characters of an excerpt. */
export const EXCERPT_LENGTH_MAX = 500
const SYNONYM_SHARE = 0.5
/** Weights of the signals. They are added to the share of the question that an excerpt covers. */
const SIGNAL_WEIGHTS = {
  /** For the value of the best unit. */
  best: 0.7,
  /** For a title that matches the question and is above one of the first units. */
  label: 0.8,
  /** For a number, if the question asks for one. */
  number: 0.15,
  /** For an excerpt at the start of its section, because that is where the topic is introduced. */
  first: 0.15,
  early: 0.1,
} as const
/** Factor for words in the section's headings, because the reader already sees these words. */
const HEADING_SHARE = 0.6
const CODE_SHARE = 0.6
/** Number of terms above which a unit is likely to contain the question's words by chance. */
const LONG_UNIT = 25
/** Number of units after which an early position in the section no longer counts. */
const EARLY_UNITS = 10
/** Number of units at the start of an excerpt that are likely to be below its title. */
const LABELED_UNITS = 3
/** If a title matches at least this well, only the text below it is shown. */
const FOCUS_MIN = 0.6

/** Returns undefined if the section has nothing to quote. */
export function chooseExcerpt(
  markdown: string,
  question: ExcerptQuestion,
  headings = '',
): Excerpt | undefined {
  const units = excerptUnits(markdown)
  if (units.length === 0) return undefined
  const scorer = new UnitScorer(question, headings)
  const scored = units.map((unit) => scorer.score(unit))
  let best: Window | undefined
  for (let from = 0; from < units.length; from += 1) {
    const to = Math.min(endOf(units, from), endOfLabel(scored, from))
    const window = scorer.windowOf(scored, from, to)
    if (best === undefined || window.score > best.score + 1e-9) best = window
  }
  if (best === undefined) return undefined
  let { from } = best
  // At the end of a section, the remaining space is filled with the units before the excerpt.
  const isFocused = (scored[from]?.label ?? 0) >= FOCUS_MIN
  while (!isFocused && from > 0 && endOf(units, from - 1) >= best.to) from -= 1
  return describe(units.slice(from, best.to), best)
}

type ScoredUnit = {
  readonly has: readonly number[]
  readonly value: number
  readonly label: number
  readonly hasNumber: boolean
  readonly unit: ExcerptUnit
}

type Window = {
  readonly from: number
  readonly to: number
  readonly score: number
  readonly coverage: number
  readonly best: number
  readonly label: number
  readonly hasNumber: boolean
  readonly isProse: boolean
}

class UnitScorer {
  readonly #question: ExcerptQuestion
  readonly #total: number
  readonly #shares: readonly number[]
  readonly #labels = new Map<string, { readonly has: readonly number[]; readonly fit: number }>()

  constructor(question: ExcerptQuestion, headings: string) {
    this.#question = question
    this.#total = question.words.reduce((sum, { weight }) => sum + weight, 0) || 1
    const known = new Set(question.termsOf(headings))
    this.#shares = question.words.map(({ term }) => (known.has(term) ? HEADING_SHARE : 1))
  }

  score(unit: ExcerptUnit): ScoredUnit {
    const terms = this.#question.termsOf(unit.text)
    const has = this.#has(terms)
    const length = Math.max(1, terms.length / LONG_UNIT)
    const kind = unit.kind === 'code' ? CODE_SHARE : 1
    const label = this.#label(unit.label)
    const withLabel = has.map((value, at) => Math.max(value, label.has[at] ?? 0))
    return {
      has: withLabel,
      value: (this.#sum(withLabel) * kind) / length ** 0.5,
      label: label.fit,
      hasNumber: /\d/.test(unit.text),
      unit,
    }
  }

  windowOf(scored: readonly ScoredUnit[], from: number, to: number): Window {
    const own = scored.slice(from, to)
    const covered = this.#question.words.map((_, at) =>
      Math.max(0, ...own.map(({ has }) => has[at] ?? 0)),
    )
    const coverage = this.#sum(covered)
    const values = own.map(({ value }) => value)
    const best = Math.max(...values)
    const label = Math.max(...own.slice(0, LABELED_UNITS).map((one) => one.label))
    const hasNumber = own.some((one) => one.hasNumber)
    const isNumber = this.#question.wantsNumber && hasNumber
    const score =
      coverage +
      SIGNAL_WEIGHTS.best * best +
      SIGNAL_WEIGHTS.label * label +
      (isNumber ? SIGNAL_WEIGHTS.number : 0) +
      (from === 0 ? SIGNAL_WEIGHTS.first : 0) +
      SIGNAL_WEIGHTS.early * Math.max(0, 1 - from / EARLY_UNITS)
    const isProse = own[values.indexOf(best)]?.unit.kind !== 'code'
    return { from, to, score, coverage, best, label, hasNumber, isProse }
  }

  #label(text: string): { readonly has: readonly number[]; readonly fit: number } {
    const known = this.#labels.get(text)
    if (known !== undefined) return known
    const terms = text === '' ? [] : this.#question.termsOf(text)
    const has = this.#has(terms)
    const common = terms.filter((term) =>
      this.#question.words.some((word) => word.term === term || word.others.includes(term)),
    )
    const precision = terms.length === 0 ? 0 : common.length / terms.length
    const made = { has, fit: this.#sum(has, []) * precision }
    this.#labels.set(text, made)
    return made
  }

  #has(terms: readonly string[]): readonly number[] {
    const all = new Set(terms)
    return this.#question.words.map(({ term, others }) => {
      if (all.has(term)) return 1
      return others.some((other) => all.has(other)) ? SYNONYM_SHARE : 0
    })
  }

  #sum(has: readonly number[], shares = this.#shares): number {
    const { words } = this.#question
    const sum = words.reduce((so, { weight }, at) => {
      return so + (has[at] ?? 0) * weight * (shares[at] ?? 1)
    }, 0)
    return sum / this.#total
  }
}

/** Returns the end of the longest excerpt that starts at a unit. */
function endOf(units: readonly ExcerptUnit[], from: number): number {
  let length = 0
  for (let at = from; at < units.length; at += 1) {
    length += lengthOf(units[at], units[at - 1], at === from)
    if (length > EXCERPT_LENGTH_MAX && at > from) return at
  }
  return units.length
}

/** Returns the end of the units below a title that fits the question, or the end of all units. */
function endOfLabel(scored: readonly ScoredUnit[], from: number): number {
  const first = scored[from]
  if (first === undefined || first.label < FOCUS_MIN) return scored.length
  const rest = scored.findIndex(({ unit }, at) => at > from && unit.label !== first.unit.label)
  return rest < 0 ? scored.length : rest
}

function lengthOf(
  unit: ExcerptUnit | undefined,
  before: ExcerptUnit | undefined,
  isFirst: boolean,
): number {
  if (unit === undefined) return 0
  const isNewBlock = isFirst || unit.block !== before?.block
  const isNewLabel = isFirst || unit.label !== before?.label
  const label = isNewLabel && unit.label !== '' ? unit.label.length + 6 : 0
  const opening = isNewBlock && unit.opening !== '' ? unit.opening.length + 6 : 0
  const lead = isFirst ? unit.lead.length : 0
  return unit.text.length + label + opening + lead + (isNewBlock ? 4 : 1)
}

function describe(units: readonly ExcerptUnit[], window: Window): Excerpt {
  const { coverage, best, label, hasNumber, isProse } = window
  const isCodeOnly = units.every(({ kind, label: title }) => kind === 'code' && title === '')
  const hasLead = units[0] !== undefined && units[0].lead !== ''
  return {
    text: printUnits(units),
    coverage,
    best,
    label,
    hasNumber,
    isProse,
    isCodeOnly: isCodeOnly && !hasLead,
  }
}

const SEPARATORS = { sentence: ' ', item: '\n', row: '\n', code: '\n' } as const

function printUnits(units: readonly ExcerptUnit[]): string {
  let text = ''
  let before: ExcerptUnit | undefined
  const close = () => {
    if (before?.kind === 'code') text += `\n${fenceOf(before)}`
  }
  for (const unit of units) {
    if (before !== undefined && before.block === unit.block)
      text += SEPARATORS[unit.kind] + unit.text
    else {
      close()
      if (text !== '') text += '\n\n'
      if (unit.label !== '' && unit.label !== before?.label) text += `**${unit.label}**\n\n`
      if (before === undefined && unit.lead !== '') text += `${unit.lead}\n\n`
      if (unit.opening !== '') text += `${unit.opening}\n`
      text += unit.text
    }
    before = unit
  }
  close()
  return cut(text.trim())
}

const fenceOf = ({ opening }: ExcerptUnit) => /^\s*(`{3,}|~{3,})/.exec(opening)?.[1] ?? '```'

/** Cuts text between words, because a single unit may be longer than an excerpt. */
function cut(text: string): string {
  if (text.length <= EXCERPT_LENGTH_MAX) return text
  const fence = /^(`{3,}|~{3,})/m.exec(text)?.[1]
  const room = EXCERPT_LENGTH_MAX - (fence === undefined ? 2 : fence.length + 3)
  const end = Math.max(text.lastIndexOf(' ', room), text.lastIndexOf('\n', room))
  const start = text.slice(0, end > room / 2 ? end : room).toWellFormed()
  return fence === undefined ? `${start} …` : `${start} …\n${fence}`
}
