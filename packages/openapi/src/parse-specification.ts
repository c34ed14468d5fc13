/**
 * Parses and checks a specification in several steps: text, keys, version, shape, references,
 * meaning. Each step reports all of its problems. Only the first three can reject the document.
 */
import { type Diagnostic, DiagnosticList, type OverlayUse, type Report } from '@octavo/model'
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
import type { Form } from './linking/layout.ts'
import { hasOtherFiles, type LinkedDocument, linkFiles } from './linking/link-files.ts'
import type { ReadFile } from './linking/linked-files.ts'
import { checkExtension } from './operations/check-extensions.ts'
import { applyOverlays } from './overlays/apply-overlays.ts'
import { type Opened, openOverlays } from './overlays/opened-overlays.ts'
import type { Overlay } from './overlays/read-overlay.ts'
import { Specification } from './specification.ts'
import { isSwagger, upgradeSwagger } from './swagger/upgrade-swagger.ts'

export type ParseOptions = {
  readonly limits?: DocumentLimits
  /** Returns other files of the same folder or host, to which references may lead. */
  readonly read?: ReadFile | undefined
  /** Overlays that change the specification, in order. `read` returns their text. */
  readonly overlays?: readonly OverlayUse[] | undefined
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
  { limits = OPENAPI_LIMITS, read, overlays = [], skipsExamples = false }: ParseOptions = {},
): ParsedSpecification {
  const list = new DiagnosticList()
  const { report } = list
  const written = parseDocument(file, text, report, limits)
  const opened = written && openOverlays(written, overlays, { report, limits, read })
  const specification = opened && check(opened, { report, limits, read, skipsExamples })
  return { specification, diagnostics: list.sorted() }
}

type CheckOptions = {
  readonly report: Report
  readonly limits: DocumentLimits
  readonly read: ReadFile | undefined
  readonly skipsExamples: boolean
}

function check(
  { document: written, overlays }: Opened,
  options: CheckOptions,
): Specification | undefined {
  const { report, limits, skipsExamples } = options
  const problems = new Problems(written, report)
  const form = checkKeys(problems) ? formOf(problems) : undefined
  const isLinked = options.read !== undefined && hasOtherFiles(written)
  if (form !== undefined && form !== '2.0' && !isLinked && overlays.length === 0) {
    return checkMeaning(form, problems, { skipsExamples })
  }
  problems.close()
  if (form === undefined) return undefined
  const joined = join(written, { form, overlays }, options)
  if (joined === undefined) return undefined
  const { document, unresolved } = joined
  if (joined.form !== '2.0') {
    return checkMeaning(joined.form, new Problems(document, report), { unresolved, skipsExamples })
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

function formOf(problems: Problems): Form | undefined {
  return isSwagger(problems.document) ? '2.0' : checkVersion(problems)
}

type Joined = LinkedDocument & { readonly form: Form }

/** Joins the files of a specification, and applies its overlays to the whole. */
function join(
  written: SpecDocument,
  { form, overlays }: { readonly form: Form; readonly overlays: readonly Overlay[] },
  { report, limits, read }: CheckOptions,
): Joined | undefined {
  const isLinked = read !== undefined && hasOtherFiles(written)
  // Targets such as `$.paths['/plants'].get` also select in path items of other files.
  const keepsPaths = overlays.length > 0
  const linked: LinkedDocument | undefined = isLinked
    ? linkFiles(written, { form, keepsPaths }, read, { report, limits })
    : { document: written, unresolved: new Map() }
  if (linked === undefined || overlays.length === 0) return linked && { ...linked, form }
  const document = applyOverlays(linked.document, overlays, limits)
  if (document === undefined) return undefined
  const problems = new Problems(document, report)
  const changed = isSameVersion(document, written) ? form : formOf(problems)
  problems.close()
  if (changed === undefined) return undefined
  return { document, unresolved: unresolvedIn(document, linked.unresolved), form: changed }
}

/** Returns true if overlays did not change the version, whose problems are reported already. */
function isSameVersion(document: SpecDocument, written: SpecDocument): boolean {
  const [now, before] = [document, written].map((one) =>
    ['openapi', 'swagger'].map((key) => one.textField(one.root, key)).join(' '),
  )
  return now === before
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
      const origin = document.origin(row)
      const reason = origin === undefined ? undefined : unresolved.get(origin)
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
