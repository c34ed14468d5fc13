/** Converts the components of Docusaurus to those of Octavo, and removes those that were not moved. */
import { COMPONENTS, findForeignComponent } from '@octavo/content'
import { mapProse } from '../page/map-prose.ts'
import { showTexts } from './code-texts.ts'
import type { Imported } from './convert-imports.ts'
import type { PartContext } from './convert-page.ts'
import { attribute, findTags, readAttributes, type TagAttributes } from './read-tags.ts'

type Tabs = { readonly labels: ReadonlyMap<string, string> }

export function convertTags(text: string, imported: Imported, context: PartContext): string {
  const converter = new TagConverter(imported, context, ownComponents(text))
  const shown = mapProse(text, (prose) => showTexts(prose, imported))
  return mapProse(shown, (prose) => converter.convert(prose))
}

/** Returns the components that the page defines. */
function ownComponents(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^export[ \t]+(?:const|function|let|var)[ \t]+(\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  )
}

class TagConverter {
  readonly #imported: Imported
  readonly #context: PartContext
  readonly #own: ReadonlySet<string>
  readonly #tabs: Tabs[] = []
  readonly #reported = new Set<string>()

  constructor(imported: Imported, context: PartContext, own: ReadonlySet<string>) {
    this.#imported = imported
    this.#context = context
    this.#own = own
  }

  convert(prose: string): string {
    const code = codeRanges(prose)
    let result = ''
    let from = 0
    for (const tag of findTags(prose)) {
      if (tag.at < from || code.some((one) => tag.at >= one.from && tag.at < one.to)) continue
      result += prose.slice(from, tag.at)
      result += tag.isClosing ? this.#closing(tag.name, tag.written) : this.#opening(tag)
      from = tag.end
    }
    return result + prose.slice(from)
  }

  #closing(name: string, written: string): string {
    if (this.#isSnippet(name)) return written
    if (this.#imported.gone.has(name)) return ''
    if (name === 'Tabs') this.#tabs.pop()
    if (name === 'TabItem') return '</Tab>'
    if (name === 'Admonition') return '</Callout>'
    if (name === 'Details') return '</Accordion>'
    if (name === 'Link') return '</a>'
    return this.#isKept(name) ? written : ''
  }

  #opening(tag: Tag): string {
    const { name, written, attributes } = tag
    const read = readAttributes(attributes)
    if (this.#isSnippet(name)) return this.#withAddresses(written)
    // A page may import its own component with the name of a known one.
    if (this.#imported.gone.has(name)) return this.#removed(tag)
    switch (name) {
      case 'Tabs':
        return this.#openTabs(read, tag)
      case 'TabItem':
        return this.#openTab(read)
      case 'Admonition':
        return `<Callout type=${attribute(CALLOUTS[read.texts.get('type') ?? 'note'] ?? 'note')}${titleOf(read)}>`
      case 'ThemedImage':
        return this.#themed(read, written)
      case 'Link':
        return this.#link(read, tag)
      case 'TOCInline':
      case 'DocCardList':
        this.#context.report.approximate(
          name === 'TOCInline'
            ? 'The list of headings was removed: every page has one at its side.'
            : 'The list of cards for the pages of this category was removed. Set `directory: "card"` on the group.',
          this.#context.placeOf(written),
        )
        return ''
      default:
        return this.#isKept(name) ? this.#withAddresses(written) : this.#removed(tag)
    }
  }

  #isKept(name: string): boolean {
    if (/^[a-z]/.test(name)) return true
    const [first = ''] = name.split('.')
    if (this.#own.has(first)) return true
    return COMPONENTS.has(name) && !this.#imported.gone.has(first)
  }

  #isSnippet(name: string): boolean {
    return this.#imported.imports.some((line) => line.startsWith(`import ${name} `))
  }

  #removed({ name, written }: Tag): string {
    if (!this.#reported.has(name)) {
      const hint = findForeignComponent(name, [], true)?.hint
      this.#reported.add(name)
      this.#context.report.leave(
        `The component \`<${name}>\` is not part of the new site; what is between its tags stays.${hint === undefined ? '' : ` ${hint}`}`,
        this.#context.placeOf(written),
      )
    }
    return ''
  }

  #openTabs({ texts, codes }: TagAttributes, { isEmpty }: Tag): string {
    const labels = new Map<string, string>()
    for (const [entry] of (codes.get('values') ?? '').matchAll(/\{[^{}]*\}/g)) {
      const value = /\bvalue:\s*(["'`])(.*?)\1/.exec(entry)?.[2]
      const label = /\blabel:\s*(["'`])(.*?)\1/.exec(entry)?.[2]
      if (value !== undefined && label !== undefined) labels.set(value, label)
    }
    if (!isEmpty) this.#tabs.push({ labels })
    this.#context.report.convert('tabs')
    return texts.has('groupId') ? '<Tabs>' : '<Tabs sync={false}>'
  }

  #openTab({ texts }: TagAttributes): string {
    const value = texts.get('value') ?? ''
    const title = texts.get('label') ?? this.#tabs.at(-1)?.labels.get(value) ?? value
    return `<Tab title=${attribute(title)}>`
  }

  #link({ texts }: TagAttributes, { isEmpty }: Tag): string {
    const url = texts.get('to') ?? texts.get('href')
    if (url !== undefined)
      return `<a href=${attribute(this.#context.address(url))}>${isEmpty ? '</a>' : ''}`
    const id = texts.get('id')
    if (isEmpty) return id === undefined ? '' : `<span id=${attribute(id)}></span>`
    return '<a>'
  }

  #themed({ texts, codes }: TagAttributes, written: string): string {
    const source = (key: string) => {
      const found = new RegExp(
        `\\b${key}:\\s*(?:useBaseUrl\\(|require\\()?\\s*(["'])([^"']+)\\1`,
      ).exec(codes.get('sources') ?? '')
      return found?.[2] === undefined ? undefined : this.#context.address(found[2])
    }
    const [light, dark] = [source('light'), source('dark')]
    if (light === undefined || dark === undefined)
      return this.#removed({ name: 'ThemedImage', written, attributes: '', isEmpty: true })
    return `<Image lightSrc=${attribute(light)} darkSrc=${attribute(dark)} alt=${attribute(texts.get('alt') ?? '')} />`
  }

  /** Writes addresses of files, also those that code names, as text. */
  #withAddresses(written: string): string {
    const { address } = this.#context
    return written
      .replaceAll(
        /=\{\s*(?:require|useBaseUrl)\(\s*(["'])([^"']+)\1\s*\)(?:\.default)?\s*\}/g,
        (_, __, url: string) => `=${attribute(address(url))}`,
      )
      .replaceAll(/=\{\s*(\w+)\s*\}/g, (code, name: string) => {
        const url = this.#imported.images.get(name)
        return url === undefined ? code : `=${attribute(url)}`
      })
      .replaceAll(
        /(\s(?:href|src|poster)=)(["'])([^"'\n]*)\2/g,
        (_, before: string, __: string, url: string) => before + attribute(address(url)),
      )
  }
}

type Tag = {
  readonly name: string
  readonly written: string
  readonly attributes: string
  readonly isEmpty: boolean
}

const CALLOUTS: Readonly<Record<string, string>> = {
  note: 'note',
  tip: 'tip',
  info: 'info',
  warning: 'warning',
  caution: 'warning',
  danger: 'danger',
}

function titleOf({ texts }: TagAttributes): string {
  const title = texts.get('title')
  return title === undefined ? '' : ` title=${attribute(title)}`
}

/** Returns the places of code in backticks and of comments. */
export function codeRanges(
  prose: string,
): readonly { readonly from: number; readonly to: number }[] {
  return [
    ...prose.matchAll(/(`+)[^`](?:[^\n]*?[^`\n])?\1(?!`)|\{\/\*[\s\S]*?\*\/\}|<!--[\s\S]*?-->/g),
  ].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
}
