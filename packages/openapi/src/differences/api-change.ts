import type { Place } from '@octavo/model'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Direction } from '../values/value-context.ts'
import { CHANGE_RULES, type ChangeLevel, type ChangeRule } from './change-rules.ts'

/** A difference between two versions of an API. */
export type ApiChange = {
  readonly rule: ChangeRule
  readonly level: ChangeLevel
  /** A sentence for people, without the operation. */
  readonly message: string
  /** The operations that it affects, such as `GET /plants`. */
  readonly operations: readonly string[]
  /** The place in the new version; in the old one for what was removed. */
  readonly place: Place
}

/** What a change is about: a part of an operation, and a path inside it. */
export type Subject = {
  readonly operation: string
  readonly direction: Direction
  /** The part of the operation, such as "the request body". */
  readonly part: string
  /** The property, such as `pets[].name`; empty for the part itself. */
  readonly path: string
}

export type Found = {
  readonly rule: ChangeRule
  readonly subject: Subject
  /** What follows the subject in the sentence. */
  readonly text: string
  readonly node: NodeId
  readonly side: 'old' | 'new'
}

/** Prints the subject at the start of a sentence. */
function printSubject({ part, path }: Subject): string {
  if (path !== '') return `\`${path}\` in ${part}`
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}`
}

export type Versions = { readonly old: Specification; readonly new: Specification }

export function createChange(
  { rule, subject, text, node, side }: Found,
  versions: Versions,
  operations: readonly string[],
): ApiChange {
  const level = CHANGE_RULES[rule].levels[subject.direction === 'request' ? 0 : 1]
  const message = `${printSubject(subject)} ${text}`
  return { rule, level, message, operations, place: versions[side].document.place(node) }
}
