import { isHosted } from '../config/api.ts'
import type { SpecificationUse, WrittenChild } from './written.ts'

type Named = {
  readonly specifications: readonly SpecificationUse[] | undefined
  readonly children: readonly WrittenChild[]
}

/** Returns the URLs of all hosted specifications that an element and its descendants use. */
export function hostedSources({ specifications = [], children }: Named): readonly string[] {
  const own = specifications.map(({ source }) => source).filter(isHosted)
  const below = children.flatMap((child) => (child.type === 'page' ? [] : hostedSources(child)))
  return [...new Set([...own, ...below])]
}
