/**
 * Runs in the worker processes of `page-pool.ts` and compiles the pages it receives, one after the
 * other.
 */
import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { type AssetFacts, readAssetFacts } from '../source/images/asset-facts.ts'
import { readHead } from '../source/read-head.ts'
import type { CompileJob, LoadedJob } from './page-compiler.ts'
import type { WorkerMessage, WorkerReply, WorkerStart } from './page-pool.ts'
import type { StrippedText, TypedFile } from './stripped-module.ts'

// Most of the start is spent on loading our own code, so the compiled code is cached.
enableCompileCache()
const { createPageHighlighter, unreadable } = await import('./compile-page.ts')
const { createJobCompiler, nameOfJob } = await import('./page-compiler.ts')
const { normalizeSource } = await import('@octavo/model')
const { parseSpecification } = await import('@octavo/openapi')
const { warmUp } = await import('./warm-up.ts')

let compile: CompileJob | undefined
let begin: (() => CompileJob) | undefined
/** Not created again when files change: grammars are slow to load and do not depend on files. */
const highlighter = createPageHighlighter()
let isAsked = false
let isCodeKept = false
/** TypeScript modules whose types the parent process is removing. */
const stripping = new Map<string, (stripped: StrippedText) => void>()
/** Pages are compiled one at a time, so that a crash can be attributed to its page. */
let lastJob: Promise<void> = Promise.resolve()

process.on('message', (message: WorkerMessage) => {
  switch (message.kind) {
    case 'start':
      begin = () => start(message)
      compile = begin()
      break
    case 'changed':
      compile = begin?.()
      break
    case 'warm':
      void warmUp(highlighter, () => !isAsked)
      break
    case 'job':
      isAsked = true
      lastJob = lastJob.then(() => make(message.id, message.job))
      break
    case 'stripped':
      stripping.get(message.file)?.(message.stripped)
  }
})

function start({ root, files, settings, hosted, overlays }: WorkerStart): CompileJob {
  const known = new Set(files)
  const read = (path: string) =>
    known.has(path) ? readFileSync(join(root, path), 'utf8') : undefined
  const facts = new Map<string, AssetFacts>()
  const head = (path: string, lengthMax: number) =>
    known.has(path) ? readHead(join(root, path), lengthMax) : undefined
  const factsOf = (path: string) => {
    const found = facts.get(path) ?? readAssetFacts(path, head)
    facts.set(path, found)
    return found
  }
  const specification = (written: string) => {
    const source = normalizeSource(written)
    const readAny = (path: string) => hosted[path] ?? read(path)
    const text = readAny(source) ?? ''
    return parseSpecification(source, text, { read: readAny, overlays: overlays[source] })
      .specification
  }
  return createJobCompiler(
    { files, read, factsOf, specification, stripTypes },
    settings,
    highlighter,
  )
}

/**
 * Asks the parent process to remove the types, since this process may not start the TypeScript
 * compiler.
 */
function stripTypes({ file, text }: TypedFile): Promise<StrippedText> {
  return new Promise((resolve) => {
    stripping.set(file, resolve)
    send({ kind: 'strip', file, text })
  })
}

async function make(id: number, job: LoadedJob): Promise<void> {
  const page = await compile?.(job)
  if (page === undefined) return
  flushCompileCacheOnce()
  try {
    send({ kind: 'page', id, page })
  } catch (error) {
    // The page contains a value that cannot be serialized. This is a bug in our code, but no reason
    // to crash.
    send({ kind: 'page', id, page: unreadable(nameOfJob(job), String(error)) })
  }
}

/**
 * Writes the compile cache once, before the first page is sent. Node would write it at exit, but
 * the pool kills its workers.
 */
function flushCompileCacheOnce(): void {
  if (!isCodeKept) flushCompileCache()
  isCodeKept = true
}

function send(reply: WorkerReply): void {
  process.send?.(reply)
}
