/** `[text][package.Name]`: links of mkdocstrings to things that this page does not define. */

import type { Mark } from './inline-marks.ts'
import { literalParts } from './source-lines.ts'

/** True for a name that `[name]: /address` defines on the page. */
export type IsDefined = (name: string) => boolean

const DEFINITION = /^[ \t>]*\[([^\]\n]{1,200})\]:/gm

export function findDefined(body: string): IsDefined {
  let names: ReadonlySet<string> | undefined
  return (name) => {
    names ??= new Set([...body.matchAll(DEFINITION)].map(([, one = '']) => one.toLowerCase()))
    return names.has(name.toLowerCase())
  }
}

const REFERENCE = /(\[[^[\]]{1,200})?\]\[([^[\]\n]{0,200})\]/g

export function findCrossReferences(text: string, isDefined: IsDefined): readonly Mark[] {
  if (!text.includes('][')) return []
  const code = literalParts(text)
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: written, 1: opened, 2: name = '', index }) => {
    const shown = (opened ?? '').slice(1)
    const target = name === '' ? shown.replaceAll('`', '') : name.replaceAll('`', '')
    const isCode = shown.startsWith('`') && shown.endsWith('`') && name === ''
    const middle = index + (opened ?? '').length
    const isHidden = code.some(({ start, end }) => start <= middle && middle < end)
    const isName = isCode || /^[A-Za-z_]\w*(?:\.\w+)+(?:#.*)?$/.test(target)
    // `list[0][a.b]` is code without backticks.
    const isIndex = /[\w\])]/.test(text.charAt(index - 1))
    if (!isName || isHidden || isIndex || isDefined(name === '' ? shown : name)) return []
    const hint = 'Write a link, as in `[text](/page#section)`, or only the text.'
    const what = 'a cross-reference'
    return [{ start: index, end: index + written.length, tool: 'mkdocstrings', what, hint }]
  })
}
