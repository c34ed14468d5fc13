/** Finds unsafe parts in the HTML of a page by reading it as a browser would. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z\d-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*(\/?)>/g
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:="([^"]*)")?/g
const REFUSED_TAGS = /^(?:script|style|object|embed|base|meta|link|template|foreignobject)$/i
const ADDRESSES = /^(?:href|src|cite|poster|action|formaction|xlink:href|data)$/i

export function unsafeHtml(html: string): readonly string[] {
  const found: string[] = []
  // A stylesheet without `<` cannot end its element early, so it is safe.
  const shown = html.replaceAll(/<style>[^<]*<\/style>/g, '')
  const rest = shown.replaceAll(TAG, (whole, _slash: string, tag: string, attributes: string) => {
    if (REFUSED_TAGS.test(tag)) found.push(whole)
    for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
      if (/^on/i.test(name) || name === 'srcdoc') found.push(whole)
      if (ADDRESSES.test(name) && runsCode(value)) found.push(whole)
    }
    return ''
  })
  // Only text remains, which must not contain `<` or `>`.
  if (/[<>]/.test(rest)) found.push(`stray sign: ${/.{0,40}[<>].{0,40}/s.exec(rest)?.[0]}`)
  return found
}

function runsCode(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore exactly these.
  const seen = value.replaceAll('&amp;', '&').replaceAll(/[\u0000-\u0020]/g, '')
  return /^(?:javascript|vbscript|data:(?!image\/))/i.test(seen)
}
