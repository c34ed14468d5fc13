/** Writes the HTML of a Markdown page as MDX reads it. */
import { allowedTag, CODE_TAGS, VOID_TAGS } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { schemeOf } from './addresses.ts'
import { replaceMarkup } from './replace-markup.ts'

export type HtmlRewrite = {
  /** Returns the address to write instead; undefined to keep it. */
  readonly address: (url: string) => string | undefined
  /** Escapes text between tags. */
  readonly text: (text: string) => string
  /** Called with each tag as it is written for MDX. */
  readonly tag: (written: string) => void
  /** Called with markup that cannot be kept. */
  readonly drop: (written: string) => void
}

/** Elements that are dropped with everything inside them. */
const DROPPED: ReadonlySet<string> = new Set([...CODE_TAGS, 'style', 'noscript', 'template'])

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'=<>`{]+)))?/g

export function convertHtml(html: string, rewrite: HtmlRewrite): string {
  return replaceMarkup(dropElements(html, rewrite), {
    comment: (text) => `{/*${text.replaceAll('*/', '* /')}*/}`,
    text: rewrite.text,
    tag: (written) => {
      const tag = convertTag(written, rewrite)
      rewrite.tag(tag)
      return tag
    },
  })
}

/** Removes scripts and styles, which no page may contain. */
function dropElements(html: string, { drop }: HtmlRewrite): string {
  return html.replaceAll(
    /<(script|style|noscript|template)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi,
    (written) => {
      drop(written)
      return ''
    },
  )
}

function convertTag(written: string, { address, drop }: HtmlRewrite): string {
  const [, slash = '', name = '', rest = ''] =
    /^<(\/?)([\w.:-]+)([\s\S]*?)\/?>$/.exec(written) ?? []
  // Components were written by the conversion, and their attributes are in order.
  if (COMPONENTS.has(name)) return written
  const tag = allowedTag(name)
  if (tag === undefined) {
    if (!DROPPED.has(name.toLowerCase())) return written.replaceAll(/(?<!\\)[{<]/g, '\\$&')
    drop(written)
    return ''
  }
  if (slash !== '') return VOID_TAGS.has(tag) ? '' : `</${tag}>`
  const attributes = [...rest.matchAll(ATTRIBUTE)].flatMap(
    ([, key = '', double, single, code, bare]) => {
      const value = double ?? single ?? bare
      if (/^markdown$/i.test(key)) return []
      if (/^on\w+$/i.test(key)) {
        drop(`${key} of <${tag}>`)
        return []
      }
      if (code !== undefined) return [`${key}={${code}}`]
      if (value === undefined) return [key]
      const url = /^(?:src|href|poster)$/i.test(key) ? address(value) : undefined
      const scheme = tag === 'img' && key === 'src' ? schemeOf(url ?? value) : undefined
      const shown = `${key}="${(scheme?.url ?? url ?? value).replaceAll('"', '&quot;')}"`
      return scheme === undefined ? [shown] : [shown, `className="${scheme.className}"`]
    },
  )
  const isVoid = VOID_TAGS.has(tag) || /\/>$/.test(written)
  return `<${[tag, ...attributes].join(' ')}${isVoid ? ' />' : '>'}`
}

/** Elements that contain blocks, and elements that contain text. */
const OUTER =
  /[ \t]*(<\/?(?:div|ul|ol|table|thead|tbody|tfoot|tr|details|section|figure|dl|center|picture)\b[^<>]*>)[ \t]*/g
const LEAF_START = /(?<=\S)[ \t]*(<(?:summary|td|th|li|p|dt|dd|figcaption|h[1-6])\b[^<>]*>)/g
/** A tag at the start of a line would be a block of its own, outside of the text that it is in. */
const INLINE_AT_START =
  /(?<=\S)[ \t]*\n[ \t>]*(?=<\/?(?:span|a|b|i|u|s|em|strong|code|small|kbd|sub|sup|mark|img|abbr)\b)/g
const LEAF_END = /(<\/(?:summary|td|th|li|p|dt|dd|figcaption|h[1-6])>)[ \t]*(?=\S)/g

/** Puts the tags of blocks on lines of their own. */
export function spreadTags(html: string, prefix: string): string {
  const lineBreak = `\n${prefix}`
  return html
    .replaceAll(INLINE_AT_START, ' ')
    .replaceAll(OUTER, (_, tag: string) => `${lineBreak}${tag}${lineBreak}`)
    .replaceAll(LEAF_START, (_, tag: string) => `${lineBreak}${tag}`)
    .replaceAll(LEAF_END, (_, tag: string) => `${tag}${lineBreak}`)
    .replaceAll(/\n[ \t]*(?=\n)/g, '')
    .trim()
}
