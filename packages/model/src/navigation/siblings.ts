import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { placeOf } from '../json/json-node.ts'
import { KIND_LABELS } from './element-fields.ts'
import type { WrittenChild, WrittenElement } from './written.ts'

/**
 * Checks that versions and languages have unique names, and that at most one of them is the
 * default.
 */
export function checkSiblings(children: readonly WrittenChild[], report: Report): void {
  const named = children.filter(isSwitchable)
  if (named.length === 0) return
  checkNames(named, report)
  checkDefaults(named, report)
}

/** Checks whether an element is a version or a language. Only these have a default. */
export function isSwitchable(child: WrittenChild): child is WrittenElement {
  return child.type === 'element' && (child.kind === 'version' || child.kind === 'language')
}

function checkNames(elements: readonly WrittenElement[], report: Report): void {
  const seen = new Map<string, WrittenElement>()
  for (const element of elements) {
    const name = element.language ?? element.name
    const earlier = seen.get(name)
    if (earlier === undefined || name === '') {
      seen.set(name, element)
      continue
    }
    report(
      diagnose('nav/duplicate-name', placeOf(element.node), {
        message:
          element.name === earlier.name
            ? `${KIND_LABELS[element.kind]} "${element.name}" appears twice in one list.`
            : `"${earlier.name}" and "${element.name}" are the same language.`,
        hint: 'Merge the two entries, or use different names.',
        related: [{ message: 'The first one.', place: placeOf(earlier.node) }],
      }),
    )
  }
}

function checkDefaults(elements: readonly WrittenElement[], report: Report): void {
  const [first, ...others] = elements.filter(({ fields }) => fields.default === true)
  for (const other of others) {
    report(
      diagnose('nav/two-defaults', placeOf(other.node), {
        message: `${KIND_LABELS[other.kind]} "${other.name}" and "${first?.name}" are both marked as the default.`,
        hint: 'Keep `default` on only one of the two. Until then, the first one is the default.',
        ...(first === undefined
          ? {}
          : { related: [{ message: 'The other one.', place: placeOf(first.node) }] }),
      }),
    )
  }
}

/**
 * Returns the version and the language that are shown first: those marked as default, or else the
 * first ones.
 */
export function defaultChildren(children: readonly WrittenChild[]): readonly WrittenElement[] {
  const defaults: WrittenElement[] = []
  for (const kind of ['version', 'language'] as const) {
    const isSibling = (child: WrittenChild): child is WrittenElement =>
      child.type === 'element' && child.kind === kind
    const chosen =
      children.find((child) => isSibling(child) && child.fields.default === true) ??
      children.find(isSibling)
    if (chosen?.type === 'element') defaults.push(chosen)
  }
  return defaults
}
