/**
 * Prints a document as JSON or YAML, with each number as it is written. It is used for documents
 * that are in no file, because overlays changed them.
 */
import type { SpecDocument } from './spec-document.ts'
import { KIND, type NodeId } from './tape.ts'

export function printDocument(document: SpecDocument, format: 'json' | 'yaml'): string {
  const printed =
    format === 'json'
      ? printJson(document, document.root, '')
      : printYaml(document, document.root, '').replace(/^[\n ]/, '')
  return printed.endsWith('\n') ? printed : `${printed}\n`
}

function printJson(document: SpecDocument, node: NodeId, indent: string): string {
  const inner = `${indent}  `
  if (document.isObject(node)) {
    const lines = document
      .entries(node)
      .map(([key, value]) => `${inner}${JSON.stringify(key)}: ${printJson(document, value, inner)}`)
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
  }
  if (document.kind(node) !== KIND.array) return printScalar(document, node)
  const lines = document.items(node).map((item) => `${inner}${printJson(document, item, inner)}`)
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n${indent}]`
}

/** Prints a value after a key and its colon: on the same line, or on lines below. */
function printYaml(document: SpecDocument, node: NodeId, indent: string): string {
  if (document.isObject(node)) {
    const lines = document.entries(node).map(([key, value]) => {
      return `\n${indent}${printText(key, '')}:${printYaml(document, value, `${indent}  `)}`
    })
    return lines.length === 0 ? ' {}' : lines.join('')
  }
  if (document.kind(node) === KIND.array) {
    const lines = document.items(node).map((item) => {
      const printed = printYaml(document, item, `${indent}  `)
      // The first line of an object or a list is on the line of its dash.
      return `\n${indent}-${printed.startsWith('\n') ? ` ${printed.trimStart()}` : printed}`
    })
    return lines.length === 0 ? ' []' : lines.join('')
  }
  const isText = document.kind(node) === KIND.string
  return ` ${isText ? printText(document.text(node), indent) : printScalar(document, node)}`
}

/** Matches texts that mean the same without quotes: no number, date, boolean or syntax. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z_/$][\w ./$()-]*(?<! )$/i

/** Matches what a block of lines would change: control characters, and spaces or lines at an end. */
const NEEDS_QUOTES = /[^\P{C}\n]|[\u2028\u2029]|\s\n(?!.)|[^\S\n]$/mu

function printText(text: string, indent: string): string {
  if (PLAIN.test(text)) return text
  const isBlock = indent !== '' && /^\S[\s\S]*\n./.test(text)
  if (!isBlock || NEEDS_QUOTES.test(text)) return JSON.stringify(text)
  const lines = text.replace(/\n$/, '').split('\n')
  const block = lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n')
  return `|${text.endsWith('\n') ? '' : '-'}\n${block}`
}

function printScalar(document: SpecDocument, node: NodeId): string {
  const text = document.text(node)
  const isJsonNumber =
    document.kind(node) === KIND.number && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  return isJsonNumber ? text : JSON.stringify(document.value(node))
}
