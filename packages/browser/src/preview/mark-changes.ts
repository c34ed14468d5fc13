/** Marks inserted and deleted text on a page, and removes the marks again. */
import { diffArrays, diffWordsWithSpace } from 'diff'

/** Elements whose text is compared as one unit. */
const BLOCKS = 'h1,h2,h3,h4,h5,h6,p,li,dt,dd,td,th,pre,figcaption,summary'
/** Longer text is compared as a whole, because comparing words would take too long. */
const WORDS_LENGTH_MAX = 20_000

export type Marked = {
  /** The changed elements, in page order. */
  readonly places: readonly Element[]
  readonly remove: () => void
}

type Block = { readonly element: Element; readonly text: string }

export function markChanges(before: Element, after: Element): Marked {
  const old = blocksOf(before)
  const fresh = blocksOf(after)
  const places: Element[] = []
  let from = 0
  let to = 0
  // Deleted blocks that may still turn out to be replaced by others.
  let removedBlocks: Block[] = []
  const flush = (next: Element | undefined) => {
    for (const { text } of removedBlocks) {
      const mark = deletedBlock(text)
      if (next === undefined) after.append(mark)
      else (next.closest('ul,ol,table,dl') ?? next).before(mark)
      places.push(mark)
    }
    removedBlocks = []
  }
  for (const { value, added, removed } of diffArrays(textsOf(old), textsOf(fresh))) {
    if (removed) {
      removedBlocks = old.slice(from, from + value.length)
      from += value.length
    } else if (added) {
      for (const block of fresh.slice(to, to + value.length)) {
        markWords(block, removedBlocks.shift()?.text ?? '')
        places.push(block.element)
      }
      to += value.length
      flush(fresh[to]?.element)
    } else {
      flush(fresh[to]?.element)
      from += value.length
      to += value.length
    }
  }
  flush(undefined)
  return { places, remove: () => removeMarks(after) }
}

const textsOf = (blocks: readonly Block[]) => blocks.map(({ text }) => text)

/** Returns only the innermost blocks, so that no text is compared twice. */
function blocksOf(root: Element): readonly Block[] {
  return [...root.querySelectorAll(BLOCKS)]
    .filter((element) => element.querySelector(BLOCKS) === null)
    .map((element) => ({ element, text: element.textContent ?? '' }))
    .filter(({ text }) => text.trim() !== '')
}

/** Marks the changed words of a block. It works backwards, so that earlier positions stay valid. */
function markWords({ element, text }: Block, before: string): void {
  const isLong = text.length + before.length > WORDS_LENGTH_MAX
  const parts = isLong
    ? [
        { value: before, removed: true, added: false },
        { value: text, added: true, removed: false },
      ]
    : diffWordsWithSpace(before, text)
  let at = text.length
  for (const { value, added, removed } of parts.toReversed()) {
    if (removed) insertDeleted(element, at, value)
    else {
      if (added) wrapInserted(element, at - value.length, at)
      at -= value.length
    }
  }
}

function insertDeleted(element: Element, at: number, text: string): void {
  if (text === '') return
  const mark = document.createElement('del')
  mark.dataset.octPreview = ''
  mark.textContent = text
  const found = textAt(element, at)
  if (found === undefined) element.append(mark)
  else {
    const range = document.createRange()
    range.setStart(found.node, found.offset)
    range.insertNode(mark)
  }
}

/** Wraps each text node separately, since one mark cannot cross the boundaries of elements. */
function wrapInserted(element: Element, start: number, end: number): void {
  let offset = 0
  for (const node of textNodes(element)) {
    const length = node.data.length
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, length)
    offset += length
    if (from >= to || node.data.slice(from, to).trim() === '') continue
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    const mark = document.createElement('ins')
    mark.dataset.octPreview = ''
    range.surroundContents(mark)
  }
}

function textAt(element: Element, at: number) {
  let offset = 0
  for (const node of textNodes(element)) {
    if (at <= offset + node.data.length) return { node, offset: at - offset }
    offset += node.data.length
  }
  return undefined
}

/** Returns the text nodes of an element, except those that are marked as deleted. */
function textNodes(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.parentElement?.closest('del[data-oct-preview]') == null) nodes.push(node)
  }
  return nodes
}

function deletedBlock(text: string): Element {
  const block = document.createElement('p')
  block.dataset.octPreview = ''
  const mark = document.createElement('del')
  mark.dataset.octPreview = ''
  mark.textContent = text
  block.append(mark)
  return block
}

function removeMarks(root: Element): void {
  for (const mark of root.querySelectorAll('[data-oct-preview]')) {
    if (mark.localName === 'ins') mark.replaceWith(...mark.childNodes)
    else mark.remove()
  }
  root.normalize()
}
