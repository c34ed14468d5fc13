/** Titles of tabs and views that the reader chose, the latest first. */
import { keep, read } from './kept.ts'

/** Given to the scripts that need it, so that these share no file with the one of every page. */
export type KeptTitles = {
  readonly keptTitles: () => readonly string[]
  readonly keepTitle: (title: string) => void
}

const TITLES_MAX = 20

export const KEPT_TITLES: KeptTitles = {
  keptTitles,
  keepTitle: (title) => {
    const others = keptTitles().filter((other) => other !== title)
    keep('tabs', JSON.stringify([title, ...others].slice(0, TITLES_MAX)))
  },
}

function keptTitles(): readonly string[] {
  try {
    const titles: unknown = JSON.parse(read('tabs') ?? '[]')
    return Array.isArray(titles) ? titles : []
  } catch {
    return []
  }
}
