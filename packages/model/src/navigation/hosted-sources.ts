import { isHosted } from '../config/api.ts'
import type { SpecificationUse, WrittenChild } from './written.ts'

type Named = {
  readonly specifications: readonly SpecificationUse[] | undefined
  readonly children: readonly WrittenChild[]
}

/** Returns the URLs of the hosted specifications of an element and its descendants. */
export function hostedSources({ specifications = [], children }: Named): readonly string[] {
  const own = specifications.map(({ source }) => source).filter(isHosted)
  const below = children.flatMap((child) => (child.type === 'page' ? [] : hostedSources(child)))
  return [...new Set([...own, ...below])]
}
