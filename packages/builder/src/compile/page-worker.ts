/** The other end of `page-pool.ts`: compiles the pages it is told to, one after the other. */
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { type AssetFacts, readAssetFacts } from '../source/images/asset-facts.ts'
import { readHead } from '../source/read-head.ts'
import type { PageCompiler } from './compile-page.ts'
import type { KnownCode } from './known-code.ts'
import type { WorkerMessage, WorkerReply, WorkerStart } from './page-pool.ts'

// Most of the start is reading our own code; what was compiled before is used again.
enableCompileCache()
const { createPageCompiler, createPageHighlighter, unreadable } = await import('./compile-page.ts')
const { warmUp } = await import('./warm-up.ts')

let compile: PageCompiler | undefined
let begin: (() => PageCompiler) | undefined
/** Grammars take long to load, and do not change with the files. */
const highlighter = createPageHighlighter()
let isAsked = false
/** One page at a time: should the process die, it must be clear over which. */
let atWork: Promise<void> = Promise.resolve()

process.on('message', (message: WorkerMessage) => {
  switch (message.kind) {
    case 'start':
      begin = () => start(message)
      compile = begin()
      break
    case 'again':
      compile = begin?.()
      break
    case 'warm':
      void warmUp(highlighter, () => !isAsked)
      break
    case 'page':
      isAsked = true
      atWork = atWork.then(() => make(message.file, message.known))
  }
})

function start({ root, files, variables, iconLibrary, languages, api }: WorkerStart): PageCompiler {
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
  const languageOf = (path: string) => languages[path]
  const input = { read, variables, factsOf, iconLibrary, languageOf, api }
  return createPageCompiler(input, highlighter)
}

async function make(file: string, known: KnownCode): Promise<void> {
  const page = await compile?.(file, known)
  if (page === undefined) return
  try {
    process.send?.({ file, page } satisfies WorkerReply)
  } catch (error) {
    // Something in it is not data: a mistake of ours, and no reason for the process to end.
    process.send?.({ file, page: unreadable(file, String(error)) } satisfies WorkerReply)
  }
}
