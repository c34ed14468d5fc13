/** Stores the titles of tabs and views that the reader chose, latest first. */
import { keep, read } from './local-storage.ts'

/**
 * Functions that are passed to other scripts, so that those share no chunk with the script that
 * every page loads.
 */
export type ChosenTitles = {
  readonly chosenTitles: () => readonly string[]
  readonly saveChosenTitle: (title: string) => void
}

const TITLES_MAX = 20

export const CHOSEN_TITLES: ChosenTitles = {
  chosenTitles,
  saveChosenTitle: (title) => {
    const others = chosenTitles().filter((other) => other !== title)
    keep('tabs', JSON.stringify([title, ...others].slice(0, TITLES_MAX)))
  },
}

function chosenTitles(): readonly string[] {
  try {
    const titles: unknown = JSON.parse(read('tabs') ?? '[]')
    return Array.isArray(titles) ? titles : []
  } catch {
    return []
  }
}
