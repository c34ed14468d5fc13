/**
 * Checks that every `$ref` leads to a part of the right kind in the same document. Cycles through a
 * schema's properties are allowed. A chain of references that leads back to itself is an error.
 */
import type { DiagnosticCode, DiagnosticText } from '@octavo/model'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import { canonicalReference, parseFragment } from '../document/pointer.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { EXTENSION_NAMES } from '../operations/extensions.ts'
import type { Reference, ShapeChecker } from './check-shape.ts'
import { type Problems, suggest } from './problems.ts'
import type { PartName } from './shape.ts'
import type { SpecVersion } from './shapes.ts'

/** Maps each object with a `$ref` to its target. Broken references are omitted. */
export type ReferenceTable = ReadonlyMap<NodeId, NodeId>

export type Part = { readonly node: NodeId; readonly part: PartName }

export type CheckedReferences = {
  readonly references: ReferenceTable
  /** The targets of references, by pointer. */
  readonly parts: ReadonlyMap<string, Part>
}

/** The reasons why references into other files lead nowhere, by the row of their text. */
export type UnresolvedReferences = ReadonlyMap<
  NodeId,
  DiagnosticText & { readonly code: DiagnosticCode }
>

export function checkReferences(
  checker: ShapeChecker,
  problems: Problems,
  version: SpecVersion,
  unresolved: UnresolvedReferences = new Map(),
): CheckedReferences {
  const table = new Map<NodeId, NodeId>()
  const parts = new Map<string, Part>()
  // The list grows during the loop, because checking a target can find more references.
  for (let index = 0; index < checker.references.length; index += 1) {
    const reference = checker.references[index]
    if (reference === undefined) break
    const reason = unresolved.get(reference.text)
    if (reason !== undefined) problems.add(reason.code, reference.text, reason)
    const target = reason === undefined ? findTarget(reference, checker, problems) : undefined
    reportSiblings(reference, target, problems, version)
    if (target === undefined) continue
    table.set(reference.node, target)
    const pointer = canonicalReference(problems.document.text(reference.text))
    parts.set(pointer, { node: target, part: reference.part })
  }
  removeLoops(table, checker.references, problems)
  return { references: table, parts }
}

function findTarget(
  reference: Reference,
  checker: ShapeChecker,
  problems: Problems,
): NodeId | undefined {
  const { document } = problems
  const written = document.text(reference.text)
  if (parseFragment(written) === undefined) {
    reportExternal(written, reference, problems)
    return undefined
  }
  const target = document.find(written)
  if (target === undefined) {
    reportBroken(written, reference, problems)
    return undefined
  }
  if (!document.isObject(target)) {
    // In OpenAPI 3.1, `true` and `false` are schemas.
    const kind = document.kind(target)
    const isBoolean = kind === KIND.true || kind === KIND.false
    if (reference.part === 'schema' && isBoolean) return target
    return reportWrongKind(reference, problems)
  }
  if (document.field(target, '$ref') !== undefined && reference.part !== 'pathItem') {
    checker.checkReferenced(target, reference.part)
    const referencedPart = checker.referencedPart(target)
    if (referencedPart === undefined || referencedPart === reference.part) return target
    return reportWrongKind(reference, problems, referencedPart)
  }
  if (checker.partOf(target) === undefined) checker.checkPart(target, reference.part)
  if (checker.partOf(target) === reference.part) return target
  return reportWrongKind(reference, problems, checker.partOf(target))
}

function reportExternal(written: string, reference: Reference, problems: Problems): void {
  const { document } = problems
  // A bare name probably means the schema with that name, if the document has one.
  const own = `#/components/schemas/${written}`
  const isName = written !== '' && document.find(own) !== undefined
  const isLocal = written === '' || written.startsWith('#') || isName
  problems.add('openapi/external-reference', reference.text, {
    message: isLocal
      ? `The reference \`${written}\` is not a pointer into this document.`
      : `The reference \`${written}\` points outside this document. Octavo does not follow it, because a specification could then make the build open any file or URL.`,
    hint: isLocal
      ? `Write a pointer such as \`${isName ? own : '#/components/schemas/Plant'}\`.`
      : 'Bundle the specification into one file first, for example with `npx @redocly/cli bundle openapi.yaml -o bundled.yaml`.',
  })
}

function reportBroken(written: string, reference: Reference, problems: Problems): void {
  const { document } = problems
  const shown = document.writtenText(reference.text)
  const tokens = parseFragment(written) ?? []
  const last = tokens.at(-1) ?? ''
  problems.addNamed('openapi/broken-reference', written, reference.text, () => {
    const parent = document.find(written.slice(0, Math.max(1, written.lastIndexOf('/'))))
    const names = document.entries(parent).map(([name]) => name)
    return {
      message: `Cannot resolve the reference \`${shown}\`: it does not exist.`,
      hint: suggest(last, names, 'Define it under `components`, or correct the name.'),
    }
  })
}

function reportWrongKind(reference: Reference, problems: Problems, found?: PartName): undefined {
  const written = problems.document.writtenText(reference.text)
  const wanted = WANTED[reference.part] ?? 'what is expected here'
  const actual = found === undefined ? undefined : WANTED[found]
  problems.add('openapi/wrong-reference', reference.text, {
    message:
      actual === undefined
        ? `The reference \`${written}\` does not point to ${wanted}.`
        : `The reference \`${written}\` points to ${actual}, not to ${wanted}.`,
    hint: 'Refer to an object of the expected kind.',
  })
  return undefined
}

const WANTED: Partial<Record<Reference['part'], string>> = {
  schema: 'a schema',
  parameter: 'a parameter',
  response: 'a response',
  requestBody: 'a request body',
  header: 'a header',
  example: 'an example',
  link: 'a link',
  callback: 'a callback',
  pathItem: 'a path item',
  securityScheme: 'a security scheme',
}

/** Extensions that Octavo uses. Other `x-` keys have no effect. */
const USED_EXTENSIONS: ReadonlySet<string> = new Set([...EXTENSION_NAMES, 'x-default'])

/**
 * Reports ignored keys next to a `$ref`. OpenAPI 3.0 ignores all of them. OpenAPI 3.1 merges them
 * in schemas, and allows only `summary` and `description` elsewhere.
 */
function reportSiblings(
  reference: Reference,
  target: NodeId | undefined,
  problems: Problems,
  version: SpecVersion,
): void {
  if (reference.part === 'pathItem') return
  if (version !== '3.0' && reference.part === 'schema') return
  const { document } = problems
  const allowed = version === '3.0' ? ['$ref'] : ['$ref', 'summary', 'description']
  const ignored = document
    .entries(reference.node)
    .filter(
      ([key]) => !allowed.includes(key) && (!key.startsWith('x-') || USED_EXTENSIONS.has(key)),
    )
    .filter(([key, value]) => !isSameScalar(document, value, document.field(target, key)))
    .map(([key]) => key)
  if (ignored.length === 0) return
  const keys = ignored.map((key) => `\`${key}\``).join(', ')
  problems.add('openapi/ignored-siblings', reference.text, {
    message: `${keys} next to a \`$ref\` ${ignored.length === 1 ? 'is' : 'are'} ignored in OpenAPI ${version}.`,
    hint:
      version === '3.0'
        ? 'Write `allOf: [{ $ref: … }]` and put these keys next to `allOf`, or upgrade to OpenAPI 3.1.'
        : 'Only `summary` and `description` are allowed there.',
  })
}

/** Returns true if both values are the same scalar, which makes ignoring one of them harmless. */
function isSameScalar(document: SpecDocument, value: NodeId, other: NodeId | undefined): boolean {
  if (other === undefined || document.kind(value) !== document.kind(other)) return false
  return document.kind(value) > KIND.array && document.text(value) === document.text(other)
}

/**
 * Reports loops and overlong chains of references, and removes their references from the table.
 * Each reference is followed only once, so the time is linear.
 */
function removeLoops(
  table: Map<NodeId, NodeId>,
  references: readonly Reference[],
  problems: Problems,
): void {
  const texts = new Map(references.map(({ node, text }) => [node, text]))
  /** The number of hops to the end of the chain; infinite if the chain leads into a loop. */
  const hops = new Map<NodeId, number>()
  for (const { node } of references) {
    const chain: NodeId[] = []
    const positions = new Map<NodeId, number>()
    let at: NodeId | undefined = node
    while (at !== undefined && !hops.has(at) && !positions.has(at)) {
      positions.set(at, chain.length)
      chain.push(at)
      at = table.get(at)
    }
    const loopStart = at === undefined ? undefined : positions.get(at)
    let length = at === undefined ? 0 : (hops.get(at) ?? Number.POSITIVE_INFINITY)
    for (const link of chain.toReversed()) {
      if (table.has(link)) length += 1
      hops.set(link, length)
      if (length === OPENAPI_LIMITS.referenceHopsMax + 1) reportLong(texts.get(link), problems)
    }
    // Only the references of the loop itself are reported, not others that lead into it.
    if (loopStart !== undefined) reportLoop(chain.slice(loopStart), texts, problems)
  }
  for (const [node, length] of hops) {
    if (length > OPENAPI_LIMITS.referenceHopsMax) table.delete(node)
  }
}

function reportLoop(
  loop: readonly NodeId[],
  texts: ReadonlyMap<NodeId, NodeId>,
  problems: Problems,
): void {
  const first = Math.min(...loop.slice(0, 1_000))
  const text = texts.get(first)
  if (text === undefined) return
  problems.add('openapi/reference-loop', text, {
    message: `The reference \`${problems.document.writtenText(text)}\` refers back to itself${loop.length === 1 ? '' : ` through ${loop.length} references`}, so it defines nothing.`,
    hint: 'Replace one of these references with the actual definition.',
  })
}

function reportLong(text: NodeId | undefined, problems: Problems): void {
  if (text === undefined) return
  problems.add('openapi/reference-loop', text, {
    message: `The reference \`${problems.document.writtenText(text)}\` starts a chain of more than ${OPENAPI_LIMITS.referenceHopsMax} references.`,
    hint: 'Refer directly to the definition.',
  })
}
