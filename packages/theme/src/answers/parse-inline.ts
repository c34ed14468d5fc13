import { type SafeLink, type Site, safeLink } from './safe-link.ts'

export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly link: SafeLink; readonly children: readonly Inline[] }
  | { readonly type: 'citation'; readonly number: number }
  | { readonly type: 'break' }

const DEPTH_MAX = 4

/**
 * Inline tokens, longest first. All patterns are bounded, so that many unclosed marks cannot slow
 * the parser down. A citation belongs to the word before it; `!` before a link starts an image, of
 * which only the text is kept.
 */
const ADDRESS = String.raw`(?:<([^<>\n]{0,2000})>|((?:[^\s()<>]|\([^\s()<>]{0,300}\)){0,2000}))`
const TITLE = String.raw`(?:\s{1,10}(?:"[^"]{0,300}"|'[^']{0,300}'))?`
const TOKENS: readonly (readonly [
  RegExp,
  (found: RegExpExecArray, at: Place) => readonly Inline[],
])[] = [
  [/\\([!-/:-@[-`{-~])/y, ([, text = '']) => [{ type: 'text', text }]],
  [/(?:\\| {2,9})\n/y, () => [{ type: 'break' }]],
  [/(`{1,20})(?!`)([\s\S]{0,2000}?[^`])\1(?!`)/y, ([, , text = '']) => [code(text)]],
  [/`{1,20}/y, ([text]) => [{ type: 'text', text }]],
  [/[ \t]*\[\^?(\d{1,3})\](?!\()/y, ([, number]) => [{ type: 'citation', number: Number(number) }]],
  [
    new RegExp(
      String.raw`(!?)\[((?:[^[\]\\]|\\[\s\S]|\[[^[\]]{0,300}\]){0,1000})\]\(\s{0,10}${ADDRESS}${TITLE}\s{0,10}\)`,
      'y',
    ),
    ([, picture, label = '', marked, bare], at) =>
      link(picture === '!' ? '' : (marked ?? bare ?? ''), label, at),
  ],
  [/<(https?:\/\/[^\s<>]{1,2000})>/y, ([, address = ''], at) => bareLink(address, at)],
  [
    /\bhttps?:\/\/[^\s<>"'`|\\^{}]{1,2000}/y,
    ([address], at) => {
      const end = /[.,;:!?)\]*_]+$/.exec(address)?.[0] ?? ''
      return [...bareLink(address.slice(0, address.length - end.length), at), ...plain(end)]
    },
  ],
  [/\*\*(?=\S)([\s\S]{0,1000}?\S)\*\*(?!\*)/y, ([, text = ''], at) => mark('strong', text, at)],
  [/__(?=\S)([\s\S]{0,1000}?[^\s_])__(?!\w)/y, ([, text = ''], at) => mark('strong', text, at)],
  [/\*(?=[^\s*])([^*]{0,1000}?[^\s*])\*(?!\*)/y, ([, text = ''], at) => mark('emphasis', text, at)],
  [
    /(?<!\w)_(?=[^\s_])([^_]{0,1000}?[^\s_])_(?!\w)/y,
    ([, text = ''], at) => mark('emphasis', text, at),
  ],
]
const PLAIN = /[^\\\s`[!<h*_]+|\s+|[\s\S]/y

type Place = { readonly site: Site; readonly depth: number; readonly isInLink: boolean }

export function parseInline(text: string, site: Site): readonly Inline[] {
  return inside(text, { site, depth: -1, isInLink: false })
}

function inside(text: string, place: Place): readonly Inline[] {
  const at = { ...place, depth: place.depth + 1 }
  if (at.depth > DEPTH_MAX) return plain(text)
  const found: Inline[] = []
  let index = 0
  while (index < text.length) {
    const [length, parts] = next(text, index, at)
    for (const part of parts) append(found, part)
    index += length
  }
  return found
}

function next(text: string, index: number, at: Place): readonly [number, readonly Inline[]] {
  for (const [token, read] of TOKENS) {
    token.lastIndex = index
    const found = token.exec(text)
    if (found !== null) return [found[0].length, read(found, at)]
  }
  PLAIN.lastIndex = index
  const [rest = ''] = PLAIN.exec(text) ?? []
  return [rest.length, plain(rest)]
}

/** Appends a part, and merges adjacent text parts. */
function append(parts: Inline[], part: Inline): void {
  const last = parts.at(-1)
  if (part.type === 'text' && last?.type === 'text')
    parts[parts.length - 1] = { type: 'text', text: last.text + part.text }
  else parts.push(part)
}

const plain = (text: string): readonly Inline[] => (text === '' ? [] : [{ type: 'text', text }])

const code = (text: string): Inline => ({
  type: 'code',
  text: text.replaceAll('\n', ' ').replace(/^ (.*[^ ].*) $/, '$1'),
})

const mark = (type: 'strong' | 'emphasis', text: string, at: Place): readonly Inline[] => [
  { type, children: inside(text, at) },
]

/** Returns only the label if the target is unsafe or the link is inside another link. */
function link(address: string, label: string, at: Place): readonly Inline[] {
  const safe = at.isInLink || address === '' ? undefined : safeLink(address, at.site)
  if (safe === undefined) return inside(label, at)
  const children = inside(label, { ...at, isInLink: true })
  return [{ type: 'link', link: safe, children: children.length > 0 ? children : plain(safe.href) }]
}

/** Shows the real target of a bare URL, even if it is written to look like another address. */
function bareLink(address: string, { site, isInLink }: Place): readonly Inline[] {
  const safe = isInLink ? undefined : safeLink(address, site)
  if (safe === undefined) return plain(address)
  const { href } = safe
  return [{ type: 'link', link: { href, host: undefined }, children: plain(href) }]
}
