/** Finds the specification and the overlays that a document and docs.json name. */
import { diagnose, isHosted, type OverlayUse, type Report } from '@octavo/model'
import { checkKeys } from '../check/check-keys.ts'
import { Problems } from '../check/problems.ts'
import {
  type DocumentLimits,
  parseDocument,
  tooManyCharacters,
} from '../document/parse-document.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import { pathOfReference, type ReadFile, type Unresolved } from '../linking/linked-files.ts'
import { isOverlay, type Overlay, parseOverlay, readOverlay } from './read-overlay.ts'

type ApplyOptions = {
  readonly report: Report
  readonly limits: DocumentLimits
}

/** Reads the overlays of a specification. Returns undefined if one of them cannot be used. */
function readOverlays(
  uses: readonly OverlayUse[],
  read: ReadFile,
  options: ApplyOptions,
): readonly Overlay[] | undefined {
  let length = 0
  const overlays = uses.map(({ source, place }) => {
    const text = read(source)
    if (typeof text === 'string') {
      length += text.length
      if (length <= options.limits.sizeMax) return parseOverlay(source, text, options)
      options.report(tooManyCharacters(source, options.limits.sizeMax))
      return undefined
    }
    const reason = text ?? {
      code: 'openapi/missing-specification' as const,
      message: isHosted(source)
        ? `The overlay "${source}" is not fetched by this command.`
        : `The overlay "${source}" does not exist in the repository.`,
      hint: 'Write its path from the root of the documentation, or its URL.',
    }
    options.report(diagnose(reason.code, place, reason))
    return undefined
  })
  const found = overlays.filter((overlay) => overlay !== undefined)
  return found.length === uses.length ? found : undefined
}

export type Opened = {
  /** The specification without its overlays. */
  readonly document: SpecDocument
  readonly overlays: readonly Overlay[]
}

/**
 * Returns the specification of a document, which is the document itself or the one that an overlay
 * extends. Returns undefined and reports the reason if the specification or an overlay cannot be
 * used: an overlay may remove what no reader may see.
 */
export function openOverlays(
  written: SpecDocument,
  uses: readonly OverlayUse[],
  { read = () => undefined, ...options }: ApplyOptions & { readonly read: ReadFile | undefined },
): Opened | undefined {
  const own = isOverlay(written) ? openExtended(written, read, options) : { document: written }
  const named = readOverlays(uses, read, options)
  if (own === undefined || named === undefined) return undefined
  return {
    document: own.document,
    overlays: 'overlay' in own ? [own.overlay, ...named] : named,
  }
}

/** Opens the specification that an overlay extends. */
function openExtended(
  written: SpecDocument,
  read: ReadFile,
  { report, limits }: ApplyOptions,
): { readonly document: SpecDocument; readonly overlay: Overlay } | undefined {
  const problems = new Problems(written, report)
  const overlay = checkKeys(problems) ? readOverlay(written, problems) : undefined
  const document = overlay && readExtended(overlay, read, { report, limits })
  if (overlay !== undefined && document !== undefined) return { document, overlay }
  problems.close()
  return undefined
}

function readExtended(
  { document, extends: written, problems }: Overlay,
  read: ReadFile,
  { report, limits }: ApplyOptions,
): SpecDocument | undefined {
  const fail = (node: NodeId, reason: Unresolved) => {
    problems.add(reason.code, node, reason)
    return undefined
  }
  if (written === undefined) {
    return fail(document.root, {
      code: 'openapi/missing-specification',
      message: 'The overlay has no `extends`, so it is not known which specification it changes.',
      hint: 'Add `extends` with the path of the specification, or use the specification and name the overlay in `overlays`.',
    })
  }
  const name = document.text(written)
  const path = pathOfExtended(document.file, name)
  if (typeof path !== 'string') return fail(written, path)
  const text = read(path) ?? {
    code: 'openapi/missing-specification' as const,
    message: `The overlay extends \`${name}\`, which does not exist.`,
    hint: 'A path starts at the folder of the overlay. Correct the path, or add the file.',
  }
  if (typeof text !== 'string') return fail(written, text)
  const base = parseDocument(path, text, report, limits)
  if (base === undefined || !isOverlay(base)) return base
  return fail(written, {
    code: 'openapi/missing-specification',
    message: `The overlay extends \`${name}\`, which is an overlay and not a specification.`,
    hint: 'Extend the specification, and name both overlays in `overlays` of docs.json.',
  })
}

/** Returns the path or URL that `extends` means, or the reason why it cannot be used. */
export function pathOfExtended(file: string, written: string): string | Unresolved {
  const isUrl = isHosted(written) && !isHosted(file)
  return isUrl ? (URL.parse(written)?.href ?? written) : pathOfReference(file, written)
}
