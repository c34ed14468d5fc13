import { type Diagnostic, DiagnosticList } from '@octavo/model'
import { KIND } from '../document/tape.ts'
import { isHidden } from '../operations/extensions.ts'
import { listOperations } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { Problems, suggest } from './problems.ts'

/**
 * Checks the tags of a specification whose operations are grouped by tag. The group of an
 * undeclared tag comes after those of declared tags. Only the first tag of an operation is used.
 */
export function checkTags(specification: Specification): readonly Diagnostic[] {
  const { document } = specification
  const tags = document.items(document.field(document.root, 'tags'))
  if (tags.length === 0) return []
  const list = new DiagnosticList()
  const problems = new Problems(document, list.report)
  const known = new Set(tags.map((tag) => document.textField(tag, 'name')))
  const names = [...known].filter((name) => name !== undefined)
  for (const { node } of listOperations(specification)) {
    const tag = document.first(document.field(node, 'tags'))
    if (tag === undefined || document.kind(tag) !== KIND.string) continue
    const name = document.text(tag)
    if (known.has(name) || isHidden(document, node)) continue
    known.add(name)
    problems.add('openapi/unknown-tag', tag, () => ({
      message: `The tag \`${name}\` is not declared in the top-level \`tags\`.`,
      hint: suggest(name, names, 'Declare it there to set the order and the label of its group.'),
    }))
  }
  problems.close()
  return list.sorted()
}
