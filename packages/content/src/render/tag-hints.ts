/** Hints for unknown and rejected tags. */
import { correctionOf, nearest } from '@octavo/model'
import { allowedTag } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { ownProperty, type ValueObject } from '../interpreter/value.ts'

/** Finds a component regardless of case: `<info>` means `<Info>`. */
export function findComponentByName(tag: string): string | undefined {
  const known = nearest(tag, COMPONENTS)
  return known?.toLowerCase() === tag.toLowerCase() ? known : undefined
}

export function hintForTag(tag: string, props: ValueObject): string {
  const name = tag.toLowerCase()
  if (name === 'script') return hintForScript(props)
  // `<image>` is an SVG tag and not the same as `<Image>`.
  if (tag === 'image') return 'Save the image as a file of the site and use that.'
  const component = findComponentByName(tag)
  return component === undefined
    ? 'Use another element, or write `\\<` to show a literal `<`.'
    : `Write \`<${component}>\`.`
}

function hintForScript(props: ValueObject): string {
  const [src, type] = [ownProperty(props, 'src'), ownProperty(props, 'type')]
  if (typeof src !== 'string') {
    return typeof type === 'string' && type.includes('json')
      ? 'Remove it: pages do not include data for other programs.'
      : 'Put it in a `.js` file of the site, which every page loads.'
  }
  if (/\.css$/i.test(src)) return 'Remove it: every page loads the `.css` files of the site.'
  return /^(?:https?:)?\/\//i.test(src)
    ? 'Embed it with an `<iframe>` instead.'
    : 'Remove it: every page loads the `.js` files of the site.'
}

/** Returns the name with which a fix may replace an unknown component. */
export function correctionForComponent(name: string): string | undefined {
  return partNamed(name) === undefined
    ? (correctionOf(name, COMPONENTS) ?? allowedTag(name))
    : undefined
}

/** Suggests `<b>` for `<B>`, and `<Tree.File>` for `<File>`. */
export function hintForComponent(name: string): string {
  const meant = partNamed(name) ?? nearest(name, COMPONENTS)
  if (meant !== undefined) return `Did you mean \`<${meant}>\`?`
  const element = allowedTag(name)
  return element === undefined
    ? 'Import it, or use a built-in component.'
    : `Did you mean \`<${element}>\`?`
}

/** Returns the part of a component that has this name, such as `Tree.File` for `File`. */
function partNamed(name: string): string | undefined {
  return [...COMPONENTS].find((known) => known.endsWith(`.${name}`))
}
