import { type DiagnosticCode, formatCount, isHosted, joinPath, type Report } from '@octavo/model'
import { checkKeys } from '../check/check-keys.ts'
import { Problems } from '../check/problems.ts'
import { type DocumentLimits, parseDocument } from '../document/parse-document.ts'
import { parseFragment, printFragment } from '../document/pointer.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'

/**
 * Returns the text of another file, by its path or URL. Undefined if it does not exist, or the
 * reason why it cannot be used.
 */
export type ReadFile = (path: string) => string | Unresolved | undefined

/** A value that a reference leads to. */
export type Target = { readonly document: SpecDocument; readonly node: NodeId }

/** The reason why a reference leads nowhere. */
export type Unresolved = {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
}

/** The maximum number of references that lead from one place to a value. */
const HOPS_MAX = 20

const BUNDLE =
  'Bundle the specification into one file first, for example with `npx @redocly/cli bundle openapi.yaml -o bundled.yaml`.'

/** Reads the files of a specification when a reference first leads to them. */
export class LinkedFiles {
  readonly #root: SpecDocument
  readonly #read: ReadFile
  readonly #report: Report
  readonly #limits: DocumentLimits
  readonly #loaded = new Map<string, SpecDocument | Unresolved>()
  #length: number

  constructor(root: SpecDocument, read: ReadFile, report: Report, limits: DocumentLimits) {
    this.#root = root
    this.#read = read
    this.#report = report
    this.#limits = limits
    this.#length = root.source.length
    const path = isHosted(root.file) ? URL.parse(root.file)?.href : joinPath('', root.file)
    this.#loaded.set(path ?? root.file, root)
  }

  /** Follows a reference that is written in a document. */
  resolve(from: SpecDocument, written: string, hops = 0): Target | Unresolved {
    const [path = '', ...rest] = written.split('#')
    const document = path === '' ? from : this.#load(from, path)
    if ('code' in document) return document
    const fragment = rest.length === 0 ? '#' : `#${rest.join('#')}`
    const node = document.find(fragment)
    if (node !== undefined) return { document, node }
    return this.#walk(document, fragment, hops) ?? brokenIn(document, written, fragment)
  }

  /** Follows a pointer through references, which a bundled file would not have. */
  #walk(document: SpecDocument, fragment: string, hops: number): Target | undefined {
    const tokens = parseFragment(fragment)
    if (tokens === undefined || hops >= HOPS_MAX) return undefined
    for (let count = tokens.length - 1; count >= 0; count -= 1) {
      const parent = document.find(printFragment(tokens.slice(0, count)))
      if (parent === undefined) continue
      const reference = document.textField(parent, '$ref')
      const target =
        reference === undefined ? reference : this.resolve(document, reference, hops + 1)
      if (target === undefined || 'code' in target) return undefined
      const rest = printFragment([
        ...(parseFragment(pointerOf(target)) ?? []),
        ...tokens.slice(count),
      ])
      const node = target.document.find(rest)
      return node === undefined
        ? this.#walk(target.document, rest, hops + 1)
        : { document: target.document, node }
    }
    return undefined
  }

  #load(from: SpecDocument, written: string): SpecDocument | Unresolved {
    const path = pathOfReference(from.file, written)
    if (typeof path !== 'string') return path
    const known = this.#loaded.get(path)
    if (known !== undefined) return known
    const loaded = this.#parse(path, from, written)
    this.#loaded.set(path, loaded)
    return loaded
  }

  #parse(path: string, from: SpecDocument, written: string): SpecDocument | Unresolved {
    const text = this.#read(path)
    if (text === undefined) return this.#missing(path, from, written)
    if (typeof text !== 'string') return text
    this.#length += text.length
    if (this.#length > this.#limits.sizeMax) {
      return {
        code: 'openapi/too-large',
        message: `With \`${path}\`, the files of the specification have more than ${formatCount(this.#limits.sizeMax)} characters.`,
        hint: 'Split it into several specifications.',
      }
    }
    const document = parseDocument(path, text, this.#report, this.#limits)
    const problems = document && new Problems(document, this.#report)
    const isSafe = problems !== undefined && checkKeys(problems)
    problems?.close()
    if (document !== undefined && isSafe) return document
    return {
      code: 'openapi/broken-reference',
      message: `The reference \`${written}\` leads to the file \`${path}\`, which cannot be read.`,
      hint: 'Correct the file. Its own problem is listed too.',
    }
  }

  #missing(path: string, from: SpecDocument, written: string): Unresolved {
    // Some tools read every path from the folder of the main file.
    const fromRoot = joinPath(folderOf(this.#root.file), decode(written)) ?? path
    const exists = !isHosted(path) && fromRoot !== path && typeof this.#read(fromRoot) === 'string'
    return {
      code: 'openapi/external-reference',
      message: `The reference \`${written}\` leads to the file \`${path}\`, which does not exist.`,
      hint: exists
        ? `A path starts at the folder of the file that contains it. Write \`${pathBetween(folderOf(from.file), fromRoot)}\`.`
        : 'A path starts at the folder of the file that contains it. Correct the path, or add the file.',
    }
  }
}

/** Returns the path or URL that is written in a file, or the reason why it cannot be used. */
export function pathOfReference(file: string, written: string): string | Unresolved {
  return isHosted(file) ? urlFrom(file, written) : pathFrom(file, written)
}

/** Returns the path of a file in the same folder. */
function pathFrom(file: string, written: string): string | Unresolved {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(written))
    return external(written, 'a URL. Octavo reads only files of the same folder.')
  return (
    joinPath(folderOf(file), decode(written)) ??
    external(
      written,
      'a file outside of the folder. Octavo does not follow it, because a specification could then make the build open any file or URL.',
    )
  )
}

/** Returns the URL of a document on the host of a hosted specification. */
function urlFrom(file: string, written: string): string | Unresolved {
  const url = URL.parse(written, file)
  if (url !== null && url.origin === URL.parse(file)?.origin) return url.href
  return external(
    written,
    'another host. Octavo follows the references of a hosted specification on its own host only.',
  )
}

function external(written: string, target: string): Unresolved {
  const message = `The reference \`${written}\` leads to ${target}`
  return { code: 'openapi/external-reference', message, hint: BUNDLE }
}

function pointerOf({ document, node }: Target): string {
  return `#${document.pointer(node)}`
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** Returns the path of a file as it is written in a folder. */
function pathBetween(folder: string, file: string): string {
  const from = folder.split('/').filter((name) => name !== '')
  const to = file.split('/')
  const differs = from.findIndex((name, index) => name !== to[index])
  const shared = differs === -1 ? from.length : differs
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

function brokenIn(document: SpecDocument, written: string, fragment: string): Unresolved {
  return {
    code: 'openapi/broken-reference',
    message: `Cannot resolve the reference \`${written}\`: \`${document.file}\` has no \`${fragment}\`.`,
    hint: `Define it in \`${document.file}\`, or correct the reference.`,
  }
}
