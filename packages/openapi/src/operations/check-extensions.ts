/** Checks vendor extensions, so that invalid ones are reported instead of silently ignored. */
import { isInternalLink, joinPath } from '@octavo/model'
import type { Problems } from '../check/problems.ts'
import type { PartName } from '../check/shape.ts'
import { describeKind } from '../document/json-type.ts'
import { KIND, type Kind, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { EXTENSION_NAMES, extensionField, tagLabel } from './extensions.ts'
import type { Operation } from './list-operations.ts'
import { operationFrontmatter } from './operation-metadata.ts'

type Wanted = readonly [key: string, kind: Kind, words: string]

const ON_OPERATIONS: readonly Wanted[] = [
  ['metadata', KIND.object, 'an object'],
  ['content', KIND.string, 'a string'],
  ['href', KIND.string, 'a path of this site'],
]
const ON_SCHEMAS: readonly Wanted[] = [
  ['pre', KIND.array, 'a list of strings'],
  ['post', KIND.array, 'a list of strings'],
]

/** Checks `x-svc` and its aliases on an object. */
export function checkExtension(node: NodeId, part: PartName | undefined, problems: Problems): void {
  const { document } = problems
  for (const name of EXTENSION_NAMES) {
    const extension = document.field(node, name)
    if (extension === undefined) continue
    if (!document.isObject(extension)) report(problems, extension, name, 'an object')
    const wanted = part === 'operation' ? ON_OPERATIONS : part === 'schema' ? ON_SCHEMAS : []
    for (const [key, kind, words] of wanted) {
      const value = document.field(extension, key)
      if (value === undefined) continue
      if (document.kind(value) !== kind) report(problems, value, `${name}.${key}`, words)
      for (const item of document.items(value)) {
        if (!document.isText(item)) report(problems, item, `${name}.${key}`, 'texts')
      }
    }
  }
  if (part === 'operation') checkOperation(node, problems)
}

function checkOperation(node: NodeId, problems: Problems): void {
  const { document } = problems
  const href = extensionField(document, node, 'href')
  if (href !== undefined && document.kind(href) === KIND.string) {
    const written = document.text(href)
    if (!isInternalLink(written) || !joinPath('', written)) {
      problems.add('openapi/extension', href, {
        message: `\`x-svc.href\` is "${written.slice(0, 200)}", which is not a path of this site; the default URL is used.`,
        hint: 'Write a path such as `/api/list-plants`.',
      })
    }
  }
  const metadata = extensionField(document, node, 'metadata')
  operationFrontmatter(document, node, problems.forward)
  const own = document.field(metadata, 'openapi')
  if (own === undefined) return
  problems.add('openapi/extension', own, {
    message: '`x-svc.metadata` sets `openapi`, which generated pages already have; it is ignored.',
    hint: 'Remove `openapi`. Any other frontmatter field is allowed here.',
  })
}

/** Checks `x-codeSamples`: a list of objects with `lang` and `source`. */
export function checkCodeSamples(
  { document }: Specification,
  { node }: Operation,
  problems: Problems,
): void {
  for (const name of ['x-codeSamples', 'x-code-samples']) {
    const samples = document.field(node, name)
    if (samples === undefined) continue
    if (document.kind(samples) !== KIND.array) report(problems, samples, name, 'a list')
    for (const sample of document.items(samples)) {
      const missing = ['lang', 'source'].find((key) => !document.textField(sample, key))
      if (missing === undefined) continue
      problems.add('openapi/extension', sample, {
        message: `An entry of \`${name}\` has no \`${missing}\`, so it is not shown.`,
        hint: 'Write `lang`, `source` and, optionally, `label`.',
      })
    }
  }
}

/** Checks `x-group` of tags, the label of the tag's group in the navigation. */
export function checkTagLabels({ document }: Specification, problems: Problems): void {
  for (const tag of document.items(document.field(document.root, 'tags'))) {
    const label = document.field(tag, 'x-group')
    if (label === undefined || tagLabel(document, tag) !== undefined) continue
    if (document.kind(label) !== KIND.string) report(problems, label, 'x-group', 'a string')
    else {
      problems.add('openapi/extension', label, {
        message: '`x-group` is empty, so the group uses the name of the tag.',
        hint: 'Write a label, or remove the key.',
      })
    }
  }
}

/**
 * Checks `x-default`, which pre-fills credentials of type `apiKey` or `http` with scheme `bearer`.
 */
export function checkPrefills(specification: Specification, problems: Problems): void {
  const { document } = specification
  const components = document.field(document.root, 'components')
  for (const [, written] of document.entries(document.field(components, 'securitySchemes'))) {
    const scheme = specification.follow(written)
    const prefill = document.field(scheme, 'x-default')
    if (prefill === undefined) continue
    if (!canPrefill(document.textField(scheme, 'type'), document.textField(scheme, 'scheme'))) {
      problems.add('openapi/extension', prefill, {
        message: '`x-default` has no effect on a security scheme of this type.',
        hint: '`x-default` prefills the field of schemes of type `apiKey`, or of type `http` with `scheme: bearer`.',
      })
    } else if (!document.isText(prefill)) {
      report(problems, prefill, 'x-default', 'a string')
    }
  }
}

/** Returns true if `x-default` can pre-fill a security scheme of this type. */
export function canPrefill(type: string | undefined, scheme: string | undefined): boolean {
  return type === 'apiKey' || (type === 'http' && scheme?.toLowerCase() === 'bearer')
}

function report(problems: Problems, node: NodeId, name: string, wanted: string): void {
  problems.add('openapi/extension', node, {
    message: `\`${name}\` is ${describeKind(problems.document.kind(node))}; it must be ${wanted}.`,
    hint: `Write ${wanted}.`,
  })
}
