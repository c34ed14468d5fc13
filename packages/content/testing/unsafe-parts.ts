import { allowedAttribute, allowedTag } from '../src/allowed/allowed-html.ts'
import { COMPONENTS } from '../src/allowed/components.ts'
import { isSafeFrame, isSafeImage, isSafeLink } from '../src/allowed/safe-url.ts'
import type { PageNode } from '../src/tree/page-tree.ts'

/**
 * Returns everything in a tree that must not reach a reader. The result must be empty for any page.
 */
export function unsafeParts(nodes: readonly PageNode[]): readonly string[] {
  return nodes.flatMap((node): readonly string[] => {
    if (typeof node === 'string' || node.kind === 'math' || node.kind === 'code') return []
    const inner = unsafeParts(node.children)
    if (node.kind === 'element') return [...unsafeElement(node), ...inner]
    if (node.kind === 'heading') return inner
    const slots = Object.values(node.slots ?? {}).flatMap(unsafeParts)
    const props = ['href', 'src', 'img', 'url'].flatMap((name) => {
      const value = node.kind === 'component' ? node.props[name] : undefined
      const isSafe = typeof value !== 'string' || isSafeLink(value) || isSafeImage(value)
      return isSafe ? [] : [`${node.name} ${name}=${value}`]
    })
    const unknown = node.kind === 'component' && !COMPONENTS.has(node.name) ? [node.name] : []
    return [...unknown, ...props, ...slots, ...inner]
  })
}

function unsafeElement(node: Extract<PageNode, { kind: 'element' }>): readonly string[] {
  const unsafe: string[] = []
  if (allowedTag(node.tag) !== node.tag) unsafe.push(`<${node.tag}>`)
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    const isOurs = node.tag === 'iframe' && (name === 'sandbox' || name === 'loading')
    if (/^on/i.test(name) || (allowedAttribute(node.tag, name) !== name && !isOurs))
      unsafe.push(`${node.tag} ${name}`)
    if (value === true) continue
    if (name === 'href' && !isSafeLink(value)) unsafe.push(`href=${value}`)
    if (name === 'src' && !(node.tag === 'iframe' ? isSafeFrame(value) : isSafeImage(value)))
      unsafe.push(`src=${value}`)
    if (name === 'style' && /url\(\s*["']?(?:\w+:|\/\/)|expression|@import|fixed/i.test(value))
      unsafe.push(`style=${value}`)
    if (name === 'id' && /^__/.test(value)) unsafe.push(`id=${value}`)
  }
  if (node.tag === 'iframe' && typeof node.attributes?.sandbox !== 'string')
    unsafe.push('iframe without sandbox')
  return unsafe
}
