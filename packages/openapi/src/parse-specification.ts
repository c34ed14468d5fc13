/**
 * Parses and checks a specification in several steps: text, keys, version, shape, references,
 * meaning. Each step reports all of its problems. Only the first three can reject the document.
 */
import { type Diagnostic, DiagnosticList, type Report } from '@octavo/model'
import { checkDocument } from './check/check-document.ts'
import { checkExamples } from './check/check-examples.ts'
import { checkKeys } from './check/check-keys.ts'
import { checkDiscriminator, checkDocsLink } from './check/check-links.ts'
import { checkReferences, type UnresolvedReferences } from './check/check-references.ts'
import { ShapeChecker } from './check/check-shape.ts'
import { checkVersion } from './check/check-version.ts'
import { Problems } from './check/problems.ts'
import { type SpecVersion, shapesFor } from './check/shapes.ts'
import { OPENAPI_LIMITS } from './document/limits.ts'
import { type DocumentLimits, parseDocument, tooManyValues } from './document/parse-document.ts'
import type { SpecDocument } from './document/spec-document.ts'
import { hasOtherFiles, linkFiles } from './linking/link-files.ts'
import type { ReadFile } from './linking/linked-files.ts'
import { checkExtension } from './operations/check-extensions.ts'
import { Specification } from './specification.ts'
import { isSwagger, upgradeSwagger } from './swagger/upgrade-swagger.ts'

export type ParseOptions = {
  readonly limits?: DocumentLimits
  /** Returns other files of the same folder or host, to which references may lead. */
  readonly read?: ReadFile | undefined
  /** Examples are not checked, which makes the start of a mock faster. */
  readonly skipsExamples?: boolean
}

export type ParsedSpecification = {
  /** Undefined if the text cannot be used at all. The diagnostics contain the reason. */
  readonly specification: Specification | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export function parseSpecification(
  file: string,
  text: string,
  { limits = OPENAPI_LIMITS, read, skipsExamples = false }: ParseOptions = {},
): ParsedSpecification {
  const list = new DiagnosticList()
  const written = parseDocument(file, text, list.report, limits)
  const specification =
    written === undefined
      ? undefined
      : check(written, { report: list.report, limits, read, skipsExamples })
  return { specification, diagnostics: list.sorted() }
}

type CheckOptions = {
  readonly report: Report
  readonly limits: DocumentLimits
  readonly read: ReadFile | undefined
  readonly skipsExamples: boolean
}

function check(
  written: SpecDocument,
  { report, limits, read, skipsExamples }: CheckOptions,
): Specification | undefined {
  const problems = new Problems(written, report)
  const isSafe = checkKeys(problems)
  const form = !isSafe ? undefined : isSwagger(written) ? '2.0' : checkVersion(problems)
  const isLinked = read !== undefined && hasOtherFiles(written)
  if (form !== undefined && form !== '2.0' && !isLinked) {
    return checkMeaning(form, problems, { skipsExamples })
  }
  problems.close()
  if (form === undefined) return undefined
  const linked = isLinked
    ? linkFiles(written, form, read, { report, limits })
    : { document: written, unresolved: new Map() }
  if (linked === undefined) return undefined
  const { document, unresolved } = linked
  if (form !== '2.0') {
    return checkMeaning(form, new Problems(document, report), { unresolved, skipsExamples })
  }
  const upgraded = upgradeSwagger(document, limits.nodesMax)
  if (upgraded === undefined) {
    report(tooManyValues(written.file, limits.nodesMax))
    return undefined
  }
  return checkMeaning('3.0', new Problems(upgraded, report), {
    isSwagger: true,
    unresolved: unresolvedIn(upgraded, unresolved),
    skipsExamples,
  })
}

/** Returns the unresolved references by their rows in a document that was made of the linked one. */
function unresolvedIn(
  document: SpecDocument,
  unresolved: UnresolvedReferences,
): UnresolvedReferences {
  if (unresolved.size === 0) return unresolved
  const rows = Array.from({ length: document.tape.length }, (_, row) => row)
  return new Map(
    rows.flatMap((row) => {
      const reason = unresolved.get(document.origin(row))
      return reason === undefined ? [] : [[row, reason] as const]
    }),
  )
}

function checkMeaning(
  version: SpecVersion,
  problems: Problems,
  from: {
    readonly isSwagger?: boolean
    readonly unresolved?: UnresolvedReferences
    readonly skipsExamples: boolean
  },
): Specification {
  const { document } = problems
  const checker = new ShapeChecker(shapesFor(version, from.isSwagger), version, problems)
  checker.checkPart(document.root, 'document')
  const checked = checkReferences(checker, problems, version, from.unresolved)
  const specification = new Specification({
    document,
    version,
    ...checked,
    sampled: checker.sampled,
  })
  for (const node of new Set(checker.extended)) checkExtension(node, checker.partOf(node), problems)
  for (const node of checker.noted.discriminator) checkDiscriminator(node, problems)
  for (const node of checker.noted.externalDocs) checkDocsLink(node, problems)
  checkDocument(specification, problems)
  if (!from.skipsExamples) checkExamples(specification, checker, problems)
  problems.close()
  return specification
}
