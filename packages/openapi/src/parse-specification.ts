/**
 * Specification text → a checked specification. The steps: text, keys, version, shape, references,
 * meaning. Each reports all its problems; only the first three can reject the document.
 */
import { type Diagnostic, DiagnosticList } from '@octavo/model'
import { checkDocument } from './check/check-document.ts'
import { checkKeys } from './check/check-keys.ts'
import { checkDiscriminator, checkDocsLink } from './check/check-links.ts'
import { checkReferences } from './check/check-references.ts'
import { ShapeChecker } from './check/check-shape.ts'
import { checkVersion } from './check/check-version.ts'
import { Problems } from './check/problems.ts'
import { shapesFor } from './check/shapes.ts'
import { OPENAPI_LIMITS } from './document/limits.ts'
import { type DocumentLimits, parseDocument } from './document/parse-document.ts'
import { checkExtension } from './operations/check-extensions.ts'
import { Specification } from './specification.ts'

export type ParsedSpecification = {
  /** Undefined if the text cannot be used at all; the diagnostics say why. */
  readonly specification: Specification | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export function parseSpecification(
  file: string,
  text: string,
  limits: DocumentLimits = OPENAPI_LIMITS,
): ParsedSpecification {
  const list = new DiagnosticList()
  const document = parseDocument(file, text, list.report, limits)
  if (document === undefined) return { specification: undefined, diagnostics: list.sorted() }
  const problems = new Problems(document, list.report)
  const isSafe = checkKeys(problems)
  const version = isSafe ? checkVersion(problems) : undefined
  if (version === undefined) {
    problems.close()
    return { specification: undefined, diagnostics: list.sorted() }
  }
  const checker = new ShapeChecker(shapesFor(version), version, problems)
  checker.checkPart(document.root, 'document')
  const checked = checkReferences(checker, problems, version)
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
  problems.close()
  return { specification, diagnostics: list.sorted() }
}
