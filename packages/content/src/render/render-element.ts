import { allowedTag, CODE_TAGS, isHtmlTag, VOID_TAGS } from '../allowed/allowed-html.ts'
import { findStylesheetProblem } from '../allowed/safe-stylesheet.ts'
import { findForeignComponent } from '../foreign/foreign-components.ts'
import { isObject, ownProperty, type Value, type ValueObject } from '../interpreter/value.ts'
import type { PageState, Spot } from '../page-state.ts'
import type { Attributes, ElementNode, PageNode } from '../tree/page-tree.ts'
import { lineText, plainText } from '../tree/plain-text.ts'
import { compileHtml } from './html/compile-html.ts'
import { renderAttributes } from './render-attributes.ts'
import { headingNode } from './render-heading.ts'
import { renameTag } from './tag-fixes.ts'
import { findComponentByName, hintForTag } from './tag-hints.ts'

export type ElementRequest = {
  readonly tag: string
  readonly props: ValueObject
  readonly children: readonly PageNode[]
  readonly spot: Spot
  /**
   * The offset of the element's end; undefined if its HTML does not appear in the source as
   * written.
   */
  readonly end?: number
}

/**
 * Renders an HTML element that passes the allow-list. If the tag is rejected, only its children are
 * rendered.
 */
export function renderElement(page: PageState, request: ElementRequest): readonly PageNode[] {
  const { props, spot } = request
  if (request.tag.toLowerCase() === 'style') return renderStyle(page, request)
  const tag = allowedTag(request.tag)
  if (tag === undefined) return rejectTag(page, request)
  const inner = innerHtml(page, props, spot)
  const children = LINE_TAGS.has(tag)
    ? withoutParagraph(inner ?? request.children)
    : (inner ?? request.children)
  const level = headingLevel(tag)
  const attributes = renderAttributes(page, tag, props, spot)
  if (level > 0) {
    const { id, ...others } = attributes ?? {}
    if (Object.keys(others).length === 0) {
      const own = typeof id === 'string' ? id : undefined
      return [headingNode(page, { level, children, id: own, spot })]
    }
  }
  if (tag === 'iframe' && attributes?.src === undefined) return children
  if (tag === 'img' && isUnnamed(attributes ?? {})) reportNoAlt(page, spot)
  if (typeof attributes?.id === 'string' && isHtmlTag(tag)) page.recordId(attributes.id, spot)
  page.countNode()
  // Browsers end a paragraph where a nested paragraph starts, so the outer one becomes a `div`.
  const written = tag === 'p' && children.some(isParagraph) ? 'div' : tag
  return [
    { kind: 'element', tag: written, attributes, children: VOID_TAGS.has(tag) ? [] : children },
  ]
}

/** Renders the page's CSS rules. They are code, so they are neither shown nor searched. */
function renderStyle(page: PageState, { props, children, spot }: ElementRequest): PageNode[] {
  const css = innerText(props) ?? plainText(children)
  const hasTags = children.some((child) => typeof child !== 'string')
  const fault = hasTags ? 'contains tags' : findStylesheetProblem(css)
  if (fault === undefined) {
    page.countNode()
    const rules = css.trim()
    return rules === ''
      ? []
      : [{ kind: 'element', tag: 'style', attributes: undefined, children: [rules] }]
  }
  page.reportIfStatic('content/style', spot, {
    message: `\`<style>\` ${fault}, so it is removed.`,
    hint: 'Put the rules in a `.css` file of the site, which every page loads.',
  })
  return []
}

/** Elements that may contain text but no paragraphs. */
const LINE_TAGS = new Set('p h1 h2 h3 h4 h5 h6 span button label summary'.split(' '))

/** Removes the paragraph that Markdown adds around text on its own line between two tags. */
function withoutParagraph(children: readonly PageNode[]): readonly PageNode[] {
  const seen = children.filter((node) => typeof node !== 'string' || node.trim() !== '')
  const [only] = seen
  return seen.length === 1 && only !== undefined && isParagraph(only) ? only.children : children
}

function isParagraph(node: PageNode): node is ElementNode {
  return (
    typeof node !== 'string' &&
    node.kind === 'element' &&
    node.tag === 'p' &&
    node.attributes === undefined
  )
}

/** Checks whether an image has no text alternative. `alt=""` marks it as decorative. */
function isUnnamed(attributes: Attributes): boolean {
  const names = ['alt', 'aria-label', 'aria-labelledby', 'aria-hidden', 'role']
  return names.every((name) => attributes[name] === undefined)
}

export function reportNoAlt(page: PageState, spot: Spot): void {
  if (!page.needsAltText) return
  page.report('content/alt-text', spot, {
    message: 'The image has no alt text, so screen readers cannot describe it.',
    hint: 'Describe in a few words what the image shows. Use `<img alt="">` for a decorative image.',
  })
}

function headingLevel(tag: string): number {
  return tag.length === 2 && tag.startsWith('h') ? Number(tag.charAt(1)) || 0 : 0
}

function innerHtml(
  page: PageState,
  props: ValueObject,
  spot: Spot,
): readonly PageNode[] | undefined {
  const html = innerText(props)
  return html === undefined ? undefined : compileHtml(page, html, spot)
}

function innerText(props: ValueObject): string | undefined {
  const inner: Value = ownProperty(props, 'dangerouslySetInnerHTML')
  const text = isObject(inner) ? ownProperty(inner, '__html') : undefined
  return typeof text === 'string' ? text : undefined
}

function rejectTag(page: PageState, request: ElementRequest): readonly PageNode[] {
  const { tag, props, children, spot, end } = request
  const isCode = CODE_TAGS.has(tag.toLowerCase())
  const rest = isCode || lineText(children) === '' ? 'it is not shown' : 'only its content is shown'
  const isMarkdown = spot.source.file.endsWith('.md')
  const foreign = findForeignComponent(tag, Object.keys(props))
  if (isMarkdown && foreign !== undefined) {
    page.reportIfStatic('content/foreign-syntax', spot, {
      message: `\`<${tag}>\` is a component of ${foreign.tool}, so ${rest}.`,
      hint: `Rename the file to \`.mdx\`, which supports components. ${foreign.hint}`,
    })
    return children
  }
  const component = findComponentByName(tag)
  const text =
    isMarkdown && component !== undefined
      ? {
          message: `\`<${tag}>\` is a component, which does not work in a \`.md\` file, so ${rest}.`,
          hint: 'Rename the file to `.mdx`.',
        }
      : {
          message: `\`<${tag}>\` is not allowed on a page, so ${rest}.`,
          hint: hintForTag(tag, props),
          fix:
            component !== undefined && end !== undefined && tag !== 'image'
              ? renameTag(spot, { name: tag, put: component, end })
              : undefined,
        }
  page.reportIfStatic('content/tag', spot, text)
  return isCode ? [] : children
}
