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
  if (isSafe && isSwagger(written)) {
    problems.close()
    const upgraded = upgradeSwagger(written, limits.nodesMax)
    if (upgraded === undefined) report(tooManyValues(written.file, limits.nodesMax))
    else {
      const from = { isSwagger: true, skipsExamples }
      return checkMeaning('3.0', new Problems(upgraded, report), from)
    }
    return undefined
  }
  const version = isSafe ? checkVersion(problems) : undefined
  const isLinked = read !== undefined && hasOtherFiles(written)
  if (version !== undefined && !isLinked) {
    return checkMeaning(version, problems, { skipsExamples })
  }
  problems.close()
  if (version === undefined || read === undefined) return undefined
  const linked = linkFiles(written, version, read, { report, limits })
  if (linked === undefined) return undefined
  const { document, unresolved } = linked
  return checkMeaning(version, new Problems(document, report), { unresolved, skipsExamples })
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
