/**
 * Finds cross-references of mkdocstrings, such as `[text][package.Name]`, whose targets the page
 * does not define.
 */

import type { Mark } from './inline-marks.ts'
import { literalParts } from './source-lines.ts'

export type Definitions = {
  /** Returns true if the page defines the name with `[name]: /address`. */
  readonly isDefined: (name: string) => boolean
  /**
   * Returns true if the page has references to dotted names, which means that `[a][b]` is a
   * cross-reference too.
   */
  readonly isReference: () => boolean
}

const DEFINITION = /^[ \t>]*\[([^\]\n]{1,200})\]:/gm

const DOTTED = /\]\[[A-Za-z_]\w*(?:\.\w+)+\]/

export function readDefinitions(body: string): Definitions {
  let names: ReadonlySet<string> | undefined
  let isReference: boolean | undefined
  return {
    isDefined: (name) => {
      names ??= new Set([...body.matchAll(DEFINITION)].map(([, one = '']) => one.toLowerCase()))
      return names.has(name.toLowerCase())
    },
    isReference: () => {
      isReference ??= DOTTED.test(body)
      return isReference
    },
  }
}

const REFERENCE = /(\[[^[\]]{1,200})?\]\[([^[\]\n]{0,200})\]/g

export function findCrossReferences(text: string, page: Definitions): readonly Mark[] {
  if (!text.includes('][')) return []
  const code = literalParts(text)
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: written, 1: opened, 2: name = '', index }) => {
    const shown = (opened ?? '').slice(1)
    const target = name === '' ? shown.replaceAll('`', '') : name.replaceAll('`', '')
    const isCode = shown.startsWith('`') && shown.endsWith('`') && /^[\w.-]*$/.test(name)
    const middle = index + (opened ?? '').length
    const isHidden = code.some(({ start, end }) => start <= middle && middle < end)
    const isName =
      isCode ||
      /^[A-Za-z_]\w*(?:\.\w+)+(?:#.*)?$/.test(target) ||
      (name !== '' && shown !== '' && page.isReference())
    // `list[0][a.b]` is code that the author did not put in backticks.
    const isIndex = opened !== undefined && /[\w\])]/.test(text.charAt(index - 1))
    if (!isName || isHidden || isIndex || page.isDefined(name === '' ? shown : name)) return []
    const hint = 'Write a link, as in `[text](/page#section)`, or only the text.'
    const what = 'a cross-reference'
    return [{ start: index, end: index + written.length, tool: 'mkdocstrings', what, hint }]
  })
}
