import { schemeOf } from '@octavo/model'
import {
  allowedAttribute,
  IMAGE_ATTRIBUTES,
  isIgnoredAttribute,
  LINK_ATTRIBUTES,
} from '../allowed/allowed-html.ts'
import { readStyleObject, readStyleText, type SafeStyle } from '../allowed/safe-style.ts'
import { isSafeFrame, isSafeImage, isSafeLink } from '../allowed/safe-url.ts'
import { toText } from '../interpreter/operators.ts'
import {
  Closure,
  isObject,
  Markup,
  Native,
  type Value,
  type ValueObject,
} from '../interpreter/value.ts'
import type { PageState, Spot } from '../page-state.ts'
import { safeId } from '../tree/heading-ids.ts'
import type { Attributes } from '../tree/page-tree.ts'

/** Permissions that an iframe may request with `allow`. */
const FRAME_PERMISSIONS = new Set(
  'accelerometer autoplay clipboard-write encrypted-media fullscreen gyroscope picture-in-picture web-share'.split(
    ' ',
  ),
)

/** Returns the attributes of an element that pass the allow-list. */
export function renderAttributes(
  page: PageState,
  tag: string,
  props: ValueObject,
  spot: Spot,
): Attributes | undefined {
  const attributes: Record<string, string | true> = {}
  let count = 0
  for (const written in props) {
    const value = props[written]
    if (written === 'children' || written === 'dangerouslySetInnerHTML') continue
    if (value === undefined || value === null || value === false) continue
    const name = allowedAttribute(tag, written)
    if (name === undefined) {
      refuse(page, { tag, written, value, spot })
      continue
    }
    const safe = safeValue(page, { tag, name, value, spot })
    if (safe === undefined) continue
    // `name` becomes `id`, because a `name` can hide properties of the document.
    attributes[tag === 'a' && name === 'name' ? 'id' : name] = safe
    count += 1
  }
  if (tag === 'iframe') return sandboxed(attributes)
  return count === 0 ? undefined : attributes
}

type Written = {
  readonly tag: string
  readonly written: string
  readonly value: Value
  readonly spot: Spot
}

function refuse(page: PageState, { tag, written, value, spot }: Written): void {
  const isFunction = value instanceof Closure || value instanceof Native
  if (/^on[a-z]/i.test(written)) {
    if (page.run.frame !== undefined && isFunction) {
      page.run.frame.needsBrowser = true
      return
    }
    const isMarkdown = spot.source.file.endsWith('.md')
    page.report('content/needs-browser', spot, {
      message: `\`${written}\` of \`<${tag}>\` is removed: it is not a function.`,
      hint: `${isMarkdown ? 'Rename the file to `.mdx`, and write' : 'Write'} a function, as in \`onClick={() => …}\`.`,
    })
    return
  }
  if (isIgnoredAttribute(tag, written) || isFunction) return
  page.reportIfStatic('content/attribute', spot, {
    message: `The attribute \`${written}\` of \`<${tag}>\` is not allowed and is removed.`,
    hint:
      tag === 'img' && written === 'caption'
        ? 'Wrap the image in a `<Frame>` and put the `caption` there.'
        : 'Remove it, or use `class`, `style` or a `data-` attribute.',
  })
}

type Named = {
  readonly tag: string
  readonly name: string
  readonly value: Value
  readonly spot: Spot
}

function safeValue(page: PageState, { tag, name, value, spot }: Named): string | true | undefined {
  if (name === 'style') return styleOf(page, value, spot)
  if (value === true) return name.startsWith('aria-') ? 'true' : true
  if (value instanceof Markup) return undefined
  const text =
    Array.isArray(value) && name === 'class' ? value.filter(Boolean).join(' ') : toText(value)
  if (text === undefined) return undefined
  if (name === 'id' || name === 'name') return safeId(text)
  if (LINK_ATTRIBUTES.has(name)) return linkOf(page, { tag, text, spot })
  if (IMAGE_ATTRIBUTES.has(name)) return imageOf(page, { tag, text, spot })
  if (name === 'srcset') {
    const unsafe = text.split(/,\s+|,$/).find((part) => !isSafeImage(part.trim()))
    return unsafe === undefined ? text : rejectUrl(page, unsafe.trim(), spot)
  }
  if (name === 'target') return /^_(?:blank|self)$/.test(text) ? text : '_blank'
  if (name === 'type' && tag === 'button') return 'button'
  if (name === 'type' && tag === 'input' && /^(?:submit|image|file|password)$/i.test(text))
    return 'text'
  if (name === 'allow') return framePermissions(text)
  return text
}

function styleOf(page: PageState, value: Value, spot: Spot): string | undefined {
  const style = safeStyle(value)
  if (style === undefined) return undefined
  if (style.refused.length > 0) {
    page.reportIfStatic('content/style', spot, {
      message: `A \`style\` contains ${style.refused.map((name) => `\`${name}\``).join(', ')} with a value that is not allowed, so it is removed.`,
      hint: 'Put these rules in a `.css` file of the site.',
    })
  }
  return style.text === '' ? undefined : style.text
}

/** Returns the safe declarations of a `style`, given as text or as an object. */
export function safeStyle(value: Value): SafeStyle | undefined {
  if (typeof value === 'string') return readStyleText(value)
  return isObject(value) ? readStyleObject(value) : undefined
}

type Address = { readonly tag: string; readonly text: string; readonly spot: Spot }

function linkOf(page: PageState, { tag, text, spot }: Address): string | undefined {
  // Inside an SVG, a URL may only refer to another part of the same SVG.
  if (tag !== 'a' && tag !== 'blockquote' && tag !== 'q' && tag !== 'del' && tag !== 'ins') {
    if (text.startsWith('#')) return text
    if (schemeOf(text) !== undefined) return rejectUrl(page, text, spot)
    // The problem is reported once: generated pages may have the same icon hundreds of times.
    page.reportOnce('content/attribute', spot, {
      message: `\`${text.slice(0, 100)}\` is not an element of this SVG, so it is removed.`,
      hint: 'Inside an SVG, a URL must refer to another element of the same SVG, such as `#shape`.',
    })
    return undefined
  }
  if (!isSafeLink(text)) return rejectUrl(page, text, spot)
  if (tag === 'a') page.recordLink('link', text, spot)
  return text
}

function imageOf(page: PageState, { tag, text, spot }: Address): string | undefined {
  const isSafe = tag === 'iframe' ? isSafeFrame(text) : isSafeImage(text)
  if (!isSafe) return rejectUrl(page, text, spot)
  if (tag !== 'iframe') page.recordLink('image', text, spot)
  return text
}

/** Reports a URL that is not allowed, and returns undefined. */
export function rejectUrl(page: PageState, text: string, spot: Spot): undefined {
  page.report('link/unsafe', spot, {
    message: `A URL starts with \`${schemeOf(text) ?? text.slice(0, 20)}:\`, which is not allowed here.`,
    hint: 'Link to a page, a file of the site or a URL.',
  })
  return undefined
}

function framePermissions(text: string): string | undefined {
  const kept = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => FRAME_PERMISSIONS.has(part.split(/\s+/)[0] ?? ''))
  return kept.length === 0 ? undefined : kept.join('; ')
}

/**
 * Adds a sandbox to an iframe, which may run code but not navigate the page. An iframe with a page
 * of this site gets no same-origin access.
 */
function sandboxed(attributes: Record<string, string | true>): Attributes {
  const isForeign = typeof attributes.src === 'string' && /^https:\/\//i.test(attributes.src)
  const origin = isForeign ? ' allow-same-origin' : ''
  return {
    ...attributes,
    sandbox: `allow-scripts allow-popups allow-forms allow-presentation${origin}`,
    loading: 'lazy',
  }
}
