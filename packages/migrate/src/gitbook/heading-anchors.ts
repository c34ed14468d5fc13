/** The anchors of headings in GitBook. */
import { mapProse } from '../page/map-prose.ts'

export type Anchor = { readonly id: string; readonly text: string; readonly isTitle: boolean }

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/gm
const OWN = /<a\b[^>]*\bid="([^"]+)"[^>]*>[ \t]*<\/a>|\{#([^\s{}]+)\}[ \t]*$/

/** Reads the headings of a page. */
export function readAnchors(text: string): readonly Anchor[] {
  const unique = createUnique()
  const anchors: Anchor[] = []
  mapProse(text, (prose) => {
    for (const [, signs = '', heading = ''] of prose.matchAll(HEADING)) {
      const own = OWN.exec(heading)
      const shown = headingText(heading)
      const isTitle = anchors.length === 0 && signs.length === 1
      anchors.push({ id: unique(own?.[1] ?? own?.[2] ?? gitbookSlug(shown)), text: shown, isTitle })
    }
    return prose
  })
  return anchors
}

/** Returns the text of a heading as readers see it. */
function headingText(written: string): string {
  return written
    .replace(OWN, '')
    .replaceAll(/`([^`]*)`|<\/?[a-zA-Z][^<>]*>/g, '$1')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|\\(?=[^\w\s])/g, '')
    .replaceAll('&#x20;', ' ')
    .trim()
}

/** GitBook adds `-1` to the second of two equal anchors. */
function createUnique(): (id: string) => string {
  const counts = new Map<string, number>()
  return (id) => {
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

/** Creates a function that returns the anchor of each heading of a page in turn, by its text. */
export function createHeadingIds(anchors: readonly Anchor[]): (text: string) => string {
  const left = [...anchors]
  return (text) => {
    const at = left.findIndex((anchor) => letters(anchor.text) === letters(text))
    const [anchor] = at < 0 ? [] : left.splice(0, at + 1).slice(-1)
    return anchor?.id ?? ''
  }
}

const NAMED: Readonly<Record<string, string>> = {
  '&': ' and ',
  '|': ' or ',
  '<': ' less than ',
  '>': ' greater than ',
  '/': ' ',
}

function gitbookSlug(text: string): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[&|<>/]/g, (sign) => NAMED[sign] ?? ' ')
    .replaceAll(/[^\p{L}\p{N}\p{M}\s._-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return /^\d/.test(id) ? `id-${id}` : id
}

/**
 * Finds the heading that a link means. Authors also write the anchors of GitHub, on which the same
 * files are shown.
 */
export function findAnchor(anchors: readonly Anchor[], id: string): Anchor | undefined {
  return (
    anchors.find((anchor) => anchor.id === id) ??
    anchors.find((anchor) => letters(anchor.text) === letters(id)) ??
    anchors.find((anchor) => letters(anchor.id) === letters(id))
  )
}

function letters(text: string): string {
  return text
    .toLowerCase()
    .replace(/^id-(?=\d)/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
