/** A question with the pages that answer it. */
export type LabeledQuestion = {
  readonly question: string
  readonly page: string
  readonly alsoAcceptable: readonly string[]
}

export class RecallTally {
  readonly #ranks = new Map<string, number[]>()

  /**
   * Adds the result of a question. Returns the rank of the first page that answers it, starting at
   * 1; infinity if no page answers it.
   */
  add(engine: string, { page, alsoAcceptable }: LabeledQuestion, pages: readonly string[]): number {
    const right = new Set([page, ...alsoAcceptable].map(plainAddress))
    const place = pages.findIndex((shown) => right.has(shown))
    const rank = place < 0 ? Number.POSITIVE_INFINITY : place + 1
    const ranks = this.#ranks.get(engine) ?? []
    ranks.push(rank)
    this.#ranks.set(engine, ranks)
    return rank
  }

  recallAt5(engine: string): number {
    return share(this.#ranks.get(engine) ?? [], 5)
  }

  print(): void {
    for (const [engine, ranks] of this.#ranks) {
      const figures = [1, 5].map((count) => `recall@${count} ${share(ranks, count).toFixed(3)}`)
      console.log(`${engine.padEnd(30)} ${figures.join('  ')}  of ${ranks.length} questions`)
    }
  }
}

function share(ranks: readonly number[], count: number): number {
  return ranks.filter((rank) => rank <= count).length / ranks.length
}

/**
 * Returns a URL without its fragment, a trailing slash and `index`, so that URLs of the same page
 * are equal.
 */
export function plainAddress(url: string): string {
  return decodeURIComponent(url)
    .replace(/#.*/, '')
    .replace(/(?:\/index)?(?:\.html)?\/?$/, '')
}
