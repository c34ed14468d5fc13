/** Reads the specification for `octavo scrape`: a file anywhere on disk, or a URL. */
import { readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describeOutcome, notASpecification, readFolder } from '@octavo/builder'
import { formatDiagnostic, isHosted } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { pathWithin } from './path-within.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'

export type ScrapeSource =
  | { readonly kind: 'failed'; readonly reason: string; readonly exitCode: ExitCode }
  | {
      readonly kind: 'read'
      readonly text: string
      /** The path of the specification to which the pages refer. */
      readonly path: string
      /** The file to write; undefined if the specification is already in the documentation. */
      readonly copyTo: string | undefined
      /** A warning for the author; the command still succeeds. */
      readonly warning: string | undefined
    }

export type SourceInput = NetworkOptions & {
  /** The path or URL as typed. */
  readonly specification: string
  /**
   * The folder with docs.json, or the folder that paths are relative to if there is no docs.json.
   */
  readonly root: string
  readonly hasConfig: boolean
  /** The output folder for pages. */
  readonly output: string
}

export async function readScrapeSource(
  world: CommandContext,
  input: SourceInput,
): Promise<ScrapeSource> {
  const { specification } = input
  if (isHosted(specification)) return readHosted(world, input)
  const file = resolve(world.cwd, specification)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const reason = `octavo: the file "${specification}" does not exist.`
    return { kind: 'failed', reason, exitCode: EXIT.usage }
  }
  const text = readFileSync(file, 'utf8')
  const path = pathWithin(input.root, { target: file })
  if (path !== undefined && isContent(path, input)) {
    return { kind: 'read', text, path, copyTo: undefined, warning: undefined }
  }
  return copyNextToPages(text, basename(file), input)
}

async function readHosted(world: CommandContext, input: SourceInput): Promise<ScrapeSource> {
  const url = input.specification
  const outcome = await createFetcher(world, { ...input, folder: input.root }).fetch(url)
  const problem = describeOutcome(url, outcome)
  if (outcome.kind === 'loaded' || outcome.kind === 'stale') {
    const name = basename(URL.parse(url)?.pathname ?? '')
    return { ...copyNextToPages(outcome.text, name, input), warning: problem?.message }
  }
  if (outcome.kind === 'malformed') {
    const problems = notASpecification(url, outcome.text).map(formatDiagnostic)
    return { kind: 'failed', reason: problems.join('\n\n'), exitCode: EXIT.problems }
  }
  const reason = `octavo: ${problem?.message}\nHint: ${problem?.hint}`
  return { kind: 'failed', reason, exitCode: EXIT.problems }
}

/** Checks whether a file in the folder is part of the documentation. */
function isContent(path: string, { root, hasConfig }: SourceInput): boolean {
  return !hasConfig || readFolder(root).files.includes(path)
}

function copyNextToPages(text: string, name: string, { root, output }: SourceInput) {
  const copyTo = join(output, copyName(name, text))
  const path = pathWithin(root, { target: copyTo }) ?? copyTo
  return { kind: 'read', text, path, copyTo, warning: undefined } as const
}

/**
 * Returns a file name that can precede `GET /path` in frontmatter, with the extension of its
 * format.
 */
function copyName(name: string, text: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '')
  const [stem = ''] = /^.*?(?=\.(?:json|ya?ml)$|$)/i.exec(plain) ?? []
  const ending = /\.(?:json|ya?ml)$/i.exec(plain)?.[0] ?? formatOf(text)
  const isTaken = stem === '' || /^(?:docs|mint)\.json$/i.test(`${stem}${ending}`)
  return `${isTaken ? 'openapi' : stem}${ending}`
}

function formatOf(text: string): string {
  return /^\uFEFF?\s*\{/.test(text) ? '.json' : '.yaml'
}
