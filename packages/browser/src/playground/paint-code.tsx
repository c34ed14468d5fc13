/**
 * Highlights code samples while the reader types. The highlighter for pages is far too large for
 * this; strings, options, numbers and common keywords are enough to make a sample readable.
 */
import type { ComponentChildren } from 'preact'

const KINDS = ['string', 'comment', 'attribute', 'number', 'keyword'] as const
const PARTS =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(^\s*(?:#|\/\/).*$)|((?<=\s)--?[a-z][\w-]*)|(\b\d+(?:\.\d+)?\b)|\b(curl|const|let|var|await|async|new|return|import|from|require|using|package|func|def|if|end|puts|print|echo|public|static|void|class|use|fn|try|catch|true|false|null|None|True|False|nil)\b/gm

export function paintCode(text: string): readonly ComponentChildren[] {
  const painted: ComponentChildren[] = []
  let from = 0
  for (const found of text.matchAll(PARTS)) {
    const kind = KINDS[found.slice(1).findIndex((part) => part !== undefined)]
    painted.push(text.slice(from, found.index), <span class={`t-${kind}`}>{found[0]}</span>)
    from = found.index + found[0].length
  }
  return [...painted, text.slice(from)]
}
