/**
 * Applies overlays to a specification (Overlay Specification 1.0). The result is a document in
 * memory, in which each value keeps its place in the file that an author wrote.
 */
import { isHosted } from '@octavo/model'
import { listNames, suggest } from '../check/problems.ts'
import type { DocumentLimits } from '../document/parse-document.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND } from '../document/tape.ts'
import type { Query, Selector } from '../json-path/query.ts'
import {
  type Selected,
  StepBudget,
  TooMuchWork,
  ValueSelector,
} from '../json-path/select-values.ts'
import { EditedDocument, TooDeepAdded, TooManyAdded, type Value } from './edited-document.ts'
import { pathOfExtended } from './opened-overlays.ts'
import type { Action, Overlay } from './read-overlay.ts'

/** Returns the specification with all changes; undefined if it exceeds a limit. */
export function applyOverlays(
  document: SpecDocument,
  overlays: readonly Overlay[],
  limits: DocumentLimits,
): SpecDocument | undefined {
  const edited = new EditedDocument(document, limits)
  const selector = new ValueSelector<Value>(edited, new StepBudget(limits.overlayStepsMax))
  for (const overlay of overlays) {
    checkExtends(overlay, document)
    const isDone = new OverlayRun(overlay, edited, selector).applyAll()
    overlay.problems.close()
    if (!isDone) return undefined
  }
  return edited.write(overlays.map((overlay) => overlay.document))
}

/** Reports an overlay that was made for another specification of the same kind, path or URL. */
function checkExtends({ document, extends: written, problems }: Overlay, base: SpecDocument): void {
  if (written === undefined) return
  const path = pathOfExtended(document.file, document.text(written))
  const known = base.file
  const isOtherKind = typeof path === 'string' && isHosted(path) !== isHosted(known)
  if (path === known || isOtherKind) return
  problems.add('openapi/overlay-extends', written, {
    message: `The overlay extends \`${document.text(written)}\`, but it is applied to \`${known}\`.`,
    hint: 'Correct `extends`, remove it, or remove the overlay from docs.json.',
  })
}

class OverlayRun {
  readonly #overlay: Overlay
  readonly #edited: EditedDocument
  readonly #selector: ValueSelector<Value>

  constructor(overlay: Overlay, edited: EditedDocument, selector: ValueSelector<Value>) {
    this.#overlay = overlay
    this.#edited = edited
    this.#selector = selector
  }

  /** Returns false if the specification cannot be used, since an action was not applied. */
  applyAll(): boolean {
    return this.#overlay.actions.every((action) => this.#applySafely(action))
  }

  #applySafely(action: Action): boolean {
    try {
      this.#apply(action)
      return true
    } catch (error) {
      const message = limitMessage(error)
      if (message === undefined) throw error
      this.#overlay.problems.add('openapi/too-large', action.target, {
        message: `The action ${message}, so the specification is not used.`,
        hint: 'Write a more exact target, or split the specification.',
      })
      return false
    }
  }

  #apply(action: Action): void {
    const selected = this.#selector.select(action.query)
    if (selected.length === 0) this.#reportNothing(action)
    else if (action.update === undefined) this.#remove(action, selected)
    else this.#update(action, action.update, selected)
  }

  #remove(action: Action, selected: readonly Selected<Value>[]): void {
    if (selected.some(({ parent }) => parent === undefined)) {
      this.#report(action, 'The whole specification cannot be removed.', 'Select a part of it.')
    } else this.#edited.remove(selected)
  }

  #update(action: Action, update: number, selected: readonly Selected<Value>[]): void {
    const { document } = this.#overlay
    const seen = new Set<Value>()
    let [scalars, lists] = [0, 0]
    for (const one of selected) {
      if (seen.has(one.value)) continue
      seen.add(one.value)
      const kind = this.#edited.kind(one.value)
      if (kind === 'list') this.#edited.append(one, document, update)
      else if (kind === 'scalar') scalars += 1
      else if (document.isObject(update)) this.#edited.merge(one, document, update)
      else lists += 1
    }
    const isNull = document.kind(update) === KIND.null
    if (scalars > 0) {
      const what =
        scalars === seen.size ? 'The target is' : `${scalars} of ${seen.size} targets are`
      this.#report(
        action,
        `${what} not an object or a list, so \`update\` does not change ${scalars === 1 ? 'it' : 'them'}.`,
        'Select the object that contains the value, and write the key and its new value in `update`.',
      )
    }
    if (lists > 0) {
      this.#report(
        action,
        isNull
          ? '`update` has no value, so nothing is changed.'
          : 'The target is an object, but `update` is not one, so nothing is changed.',
        'Write the keys of the object and their new values in `update`.',
      )
    }
  }

  #reportNothing(action: Action): void {
    const { segments } = action.query
    const written = this.#overlay.document.text(action.target)
    const matching = this.#longestMatch(action.query)
    const found = this.#selector.select({
      isRelative: false,
      segments: segments.slice(0, matching),
    })
    const start = matching === 0 ? '$' : written.slice(0, segments[matching - 1]?.end)
    const hint = this.#explain(found, segments[matching]?.selectors[0], start)
    const message = `The target \`${written}\` selects nothing, so the action changes nothing.`
    this.#report(action, message, hint)
  }

  /** Returns the number of segments that still select something. */
  #longestMatch({ segments }: Query): number {
    let count = segments.length - 1
    while (count > 0) {
      const query = { isRelative: false, segments: segments.slice(0, count) }
      if (this.#selector.select(query).length > 0) break
      count -= 1
    }
    return count
  }

  /** Returns what the last part of a target that selects something has instead. */
  #explain(
    found: readonly Selected<Value>[],
    selector: Selector | undefined,
    start: string,
  ): string {
    const edited = this.#edited
    const reference = found.find(({ value }) => edited.field(value, '$ref') !== undefined)
    if (reference !== undefined) {
      const written = edited.scalar(edited.field(reference.value, '$ref') ?? 0)
      return `\`${start}\` is a reference to \`${written}\`. A target does not follow references: select what it leads to.`
    }
    const names = [...new Set(found.slice(0, 50).flatMap(({ value }) => this.#keys(value)))]
    const otherwise =
      names.length === 0
        ? `\`${start}\` is the last part that selects something. Correct the target, or remove the action.`
        : `\`${start}\` has ${listNames(names)}. Correct the target, or remove the action.`
    return selector?.is === 'name' ? suggest(selector.name, names, otherwise) : otherwise
  }

  #keys(value: Value): readonly string[] {
    if (this.#edited.kind(value) !== 'object') return []
    return [...this.#edited.entries(value)].map(([key]) => key)
  }

  #report({ target }: Action, message: string, hint: string): void {
    this.#overlay.problems.add('openapi/overlay-target', target, { message, hint })
  }
}

function limitMessage(error: unknown): string | undefined {
  if (error instanceof TooMuchWork) return 'selects too much'
  if (error instanceof TooManyAdded) return 'adds too many values'
  return error instanceof TooDeepAdded ? 'nests values too deeply' : undefined
}
