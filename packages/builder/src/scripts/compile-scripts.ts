/**
 * Our own browser code as files of a site. It does not depend on the site, so it is compiled once
 * per builder version and cached by load-scripts.ts.
 */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { browserScript } from '../compile/own-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { BROWSER_OUTPUT } from './browser-output.ts'
import { compileStyles } from './compile-styles.ts'
import { nameByContent } from './name-by-content.ts'

export type Script = {
  /** The file name in the scripts folder, such as `site-4XQ2ZK7B.js`. */
  readonly name: string
  readonly code: string
}

export type CompiledScripts = {
  /** Loaded by every page. */
  readonly site: Script
  /** Loaded on demand. */
  readonly lazy: readonly Script[]
  /** Loads third-party tools on sites that have any; the list of tools is prepended to it. */
  readonly integrations: string
  /** Like `integrations`, for sites with a consent manager. */
  readonly integrationsWithConsent: string
  /**
   * The folder of the diagram library, which is compiled only for sites that need it: see
   * `compileMermaid`.
   */
  readonly mermaidFolder: string
  /** The theme's minified stylesheets, by file name. */
  readonly styles: Readonly<Record<string, string>>
}

/** A dependency of the browser package, so it is resolved from there. */
const DIAGRAM_LIBRARY = 'mermaid'

/** File names contain the content hash, so browsers can cache them forever. */
export async function compileScripts(): Promise<CompiledScripts> {
  const folder = mermaidFolder()
  const mermaid = `./${folder}/mermaid.js`
  const [outputs, styles, integrations, integrationsWithConsent] = await Promise.all([
    compile('site', {
      entryNames: '[name]-[hash]',
      define: { MERMAID_URL: JSON.stringify(mermaid) },
      external: [mermaid],
    }),
    compileStyles(),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'false' }),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'true' }),
  ])
  const site = outputs.find(({ name }) => name.startsWith('site-'))
  if (site === undefined) throw new Error('esbuild returned no page script.')
  const lazy = outputs.filter((output) => output !== site)
  const tools = { integrations, integrationsWithConsent }
  return { site, lazy, ...tools, mermaidFolder: folder, styles }
}

/** Compiles the script that `octavo dev` adds to pages. */
export function compileDevClient(): Promise<string> {
  return compileAlone('dev/client')
}

/**
 * Compiles the scripts that a service adds to pages. The panel's name also depends on its texts.
 */
export async function compileHostScripts(words: string) {
  const proof = await compileAlone('assistant/solve-proof')
  const proofName = `proof-${hashBytes(proof).slice(0, 12)}`
  const panel = await compileAlone('assistant/panel', { PROOF_NAME: JSON.stringify(proofName) })
  const panelName = `panel-${hashBytes(panel, words).slice(0, 12)}`
  const feedback = await compileAlone('events/feedback')
  const feedbackName = `feedback-${hashBytes(feedback, words).slice(0, 12)}`
  const define = {
    PANEL_NAME: JSON.stringify(panelName),
    FEEDBACK_NAME: JSON.stringify(feedbackName),
  }
  const [loader, previewLoader, previewBar, dashboard, readerLinks, listener] = await Promise.all([
    compileAlone('assistant/loader', define),
    compileAlone('preview/preview-host', define),
    compileAlone('preview/bar'),
    compileAlone('dashboard/dashboard'),
    compileAlone('reader/reader-links'),
    compileAlone('events/listener', define),
  ])
  const pages = { loader, previewLoader, previewBar, readerLinks, listener }
  const loaded = { panelName, panel, proofName, proof, feedbackName, feedback }
  return { ...pages, ...loaded, dashboard }
}

/** Compiles an entry to a single file. */
async function compileAlone(
  entry: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { outputFiles } = await esbuild.build({
    ...BROWSER_OUTPUT,
    define,
    entryPoints: [browserScript(entry)],
  })
  return outputFiles[0]?.text ?? ''
}

/** Compiled separately, since the library is large and most sites have no diagrams. */
export function compileMermaid(): Promise<readonly Script[]> {
  return compile('mermaid', {})
}

/**
 * Returns the folder name without compiling, from everything that determines its content. Its files
 * import one another by hashed names, so they must change together.
 */
function mermaidFolder(): string {
  const file = findPackageJSON(DIAGRAM_LIBRARY, browserScript('mermaid')) ?? ''
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  const settings = JSON.stringify(BROWSER_OUTPUT)
  return `mermaid-${hashBytes(version, esbuild.version, settings).slice(0, 12)}`
}

type EntryOptions = Pick<esbuild.BuildOptions, 'entryNames' | 'define' | 'external'>

async function compile(entry: string, options: EntryOptions): Promise<readonly Script[]> {
  const source = browserScript(entry)
  const { outputFiles } = await esbuild.build({
    ...BROWSER_OUTPUT,
    splitting: true,
    chunkNames: '[name]-[hash]',
    // Makes hashes independent of the installation folder.
    absWorkingDir: dirname(source),
    outdir: '.',
    entryPoints: [basename(source)],
    ...options,
  })
  const scripts = outputFiles.map(({ path, text }) => ({
    name: relative(dirname(source), path),
    code: text,
  }))
  return nameByContent(scripts).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
