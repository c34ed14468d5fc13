import { QuoteType, Tokenizer } from 'htmlparser2'

type Attribute = readonly [name: string, value: string | true]

export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'open'
      readonly tag: string
      readonly attributes: readonly Attribute[]
      readonly isClosed: boolean
      readonly offset: number
    }
  | { readonly kind: 'close'; readonly tag: string }

/**
 * Splits HTML into tags and texts, with all character references decoded. Comments, doctypes and
 * processing instructions are dropped. An incomplete tag is text.
 */
export function readHtmlTokens(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = []
  let tag = { name: '', offset: 0, attributes: [] as Attribute[] }
  let attribute = { name: '', value: '' }
  /** The end of the text that has been read. */
  let end = 0
  const addText = (text: string, next: number) => {
    // The tokenizer returns a character reference as a separate token, so adjacent text is joined.
    const last = tokens.at(-1)
    if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + text }
    else if (text !== '') tokens.push({ kind: 'text', text })
    end = next
  }
  const addTag = (isClosed: boolean, next: number) => {
    const { name, offset, attributes } = tag
    tokens.push({ kind: 'open', tag: name, attributes, isClosed, offset })
    end = next
  }
  const skip = (_start: number, last: number) => {
    end = last + 1
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: true },
    {
      ontext: (start, next) => addText(html.slice(start, next), next),
      ontextentity: (code, next) => addText(String.fromCodePoint(code), next),
      onopentagname: (start, next) => {
        tag = { name: html.slice(start, next), offset: start - 1, attributes: [] }
      },
      onattribname: (start, next) => {
        attribute = { name: html.slice(start, next), value: '' }
      },
      onattribdata: (start, next) => {
        attribute.value += html.slice(start, next)
      },
      onattribentity: (code) => {
        attribute.value += String.fromCodePoint(code)
      },
      onattribend: (quote) => {
        const { name, value } = attribute
        tag.attributes.push([name, quote === QuoteType.NoValue ? true : value])
      },
      onopentagend: (last) => addTag(false, last + 1),
      onselfclosingtag: (last) => addTag(true, last + 1),
      onclosetag: (start, next) => {
        tokens.push({ kind: 'close', tag: html.slice(start, next) })
        const last = html.indexOf('>', next)
        end = last < 0 ? html.length : last + 1
      },
      oncomment: skip,
      oncdata: skip,
      ondeclaration: skip,
      onprocessinginstruction: skip,
      onend: () => addText(html.slice(end), html.length),
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return tokens
}
