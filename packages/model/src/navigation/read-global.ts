import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, type JsonObject, placeOf } from '../json/json-node.ts'
import { wrongType } from '../schema/schema.ts'
import { readFields, reportUnknownKeys } from '../schema/shape.ts'
import { CHILD_KINDS } from './child-kind.ts'
import {
  ELEMENT_FIELDS,
  ELEMENT_KEYS,
  KIND_OF_LIST,
  LEGACY_ELEMENT_KEYS,
} from './element-fields.ts'
import { readElementName } from './element-name.ts'
import type { ElementKind, WrittenElement, WrittenFields, WrittenGlobal } from './written.ts'

/**
 * The lists that `global` may contain. Global anchors are the most common ones (navigation rule 8).
 */
export const GLOBAL_LISTS = [
  ...(['anchors', 'tabs', 'dropdowns', 'products', 'versions', 'languages'] as const),
] as const

/**
 * Reads `global`: links that appear on all pages. Each entry needs `href` and must not have
 * children.
 */
export function readGlobal(node: JsonNode, report: Report): WrittenGlobal {
  if (node.type !== 'object') {
    wrongType(report, node, 'an object with `anchors`')
    return { links: [] }
  }
  reportUnknownKeys({ node, known: new Set(GLOBAL_LISTS), legacy: {}, report })
  const links = GLOBAL_LISTS.flatMap((list) => {
    const written = node.members.get(list)?.value
    if (written === undefined) return []
    if (written.type !== 'array') {
      wrongType(report, written, 'a list of links')
      return []
    }
    return written.items.flatMap((item) => readGlobalLink(item, KIND_OF_LIST[list], report))
  })
  return { links }
}

function readGlobalLink(
  item: JsonNode,
  kind: ElementKind,
  report: Report,
): readonly WrittenElement[] {
  if (item.type !== 'object') {
    wrongType(report, item, `an object with \`${kind}\` and \`href\``)
    return []
  }
  const { name, label } = readElementName(item, kind, report)
  const table = ELEMENT_FIELDS[kind]
  reportUnknownKeys({ node: item, known: ELEMENT_KEYS[kind], legacy: LEGACY_ELEMENT_KEYS, report })
  const fields: WrittenFields = readFields(item, table, report)
  checkLink(item, label, report)
  const none = {
    language: undefined,
    specifications: undefined,
    root: undefined,
    global: undefined,
  }
  return [{ type: 'element', kind, name, fields, children: [], node: item, ...none }]
}

function checkLink(node: JsonObject, label: string, report: Report): void {
  const children = CHILD_KINDS.filter((kind) => node.members.has(kind))
  const [first] = children
  if (node.members.has('href') && first === undefined) return
  report(
    diagnose('nav/global-link', placeOf(node), {
      message:
        first === undefined
          ? `${label} in \`global\` has no \`href\`.`
          : `${label} in \`global\` has \`${first}\`. Global entries are links and cannot have pages; these pages are not shown.`,
      hint:
        first === undefined
          ? 'Add `href`: a URL, or the path of a page.'
          : `Move \`${first}\` out of \`global\`, and give this entry \`href\`.`,
    }),
  )
}
