/**
 * Compiles our own browser code into files of a site. The code does not depend on the site, so it
 * is compiled once per builder version and cached by load-scripts.ts.
 */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { browserScript } from '../compile/own-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { BROWSER_OUTPUT } from './browser-output.ts'
import { compileStyles, inLayer } from './compile-styles.ts'
import { nameByContent } from './name-by-content.ts'

export type Script = {
  /** The file name in the scripts folder, such as `site-4XQ2ZK7B.js`. */
  readonly name: string
  readonly code: string
}

export type CompiledScripts = {
  /** The script that every page loads. */
  readonly site: Script
  /** Scripts that pages load on demand. */
  readonly lazy: readonly Script[]
  /**
   * Code that loads third-party tools, for sites that use any. The build prepends the list of
   * tools.
   */
  readonly integrations: string
  /** Replaces `integrations` on sites with a consent manager. */
  readonly integrationsWithConsent: string
  /**
   * The folder name of the diagram library. The library is compiled only for sites that need it:
   * see `compileMermaid`.
   */
  readonly mermaidFolder: string
  /** The minified stylesheets of the theme, by file name. */
  readonly styles: Readonly<Record<string, string>>
}

/**
 * The diagram library is a dependency of the browser package, so it is resolved from that package.
 */
const DIAGRAM_LIBRARY = 'mermaid'

/** The styles that the playground brings along, so that API pages do not load them. */
const PLAYGROUND_STYLES = ['playground.css', 'answer.css']

/**
 * Compiles the scripts. Their file names contain a hash of the content, so browsers can cache them
 * forever.
 */
export async function compileScripts(): Promise<CompiledScripts> {
  const folder = mermaidFolder()
  const mermaid = `./${folder}/mermaid.js`
  // Compiled apart from the page scripts, the playground shares no file with them: it is one request.
  const styles = await compileStyles()
  const playgroundStyles = PLAYGROUND_STYLES.map((file) => styles[file]).join('')
  const [playground] = await compile('playground/open-playground', {
    entryNames: '[name]-[hash]',
    define: { PLAYGROUND_STYLES: JSON.stringify(inLayer(playgroundStyles)) },
  })
  if (playground === undefined) throw new Error('esbuild returned no playground script.')
  const playgroundUrl = `./${playground.name}`
  const [outputs, integrations, integrationsWithConsent] = await Promise.all([
    compile('site', {
      entryNames: '[name]-[hash]',
      define: {
        MERMAID_URL: JSON.stringify(mermaid),
        PLAYGROUND_URL: JSON.stringify(playgroundUrl),
      },
      external: [mermaid, playgroundUrl],
    }),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'false' }),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'true' }),
  ])
  const site = outputs.find(({ name }) => name.startsWith('site-'))
  if (site === undefined) throw new Error('esbuild returned no page script.')
  const lazy = [playground, ...outputs.filter((output) => output !== site)]
  const tools = { integrations, integrationsWithConsent }
  return { site, lazy, ...tools, mermaidFolder: folder, styles }
}

/** Compiles the script that `octavo dev` adds to pages. */
export function compileDevClient(): Promise<string> {
  return compileAlone('dev/client')
}

/**
 * Compiles the scripts that a service adds to pages. The file name of the panel also depends on its
 * texts.
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
  const [loader, previewLoader, previewBar, ...others] = await Promise.all([
    compileAlone('assistant/loader', define),
    compileAlone('preview/preview-host', define),
    compileAlone('preview/bar'),
    compileAlone('dashboard/dashboard'),
    compileAlone('reader/reader-links'),
    compileAlone('events/listener', define),
    compileAlone('proof/show-proof'),
  ])
  const [dashboard, readerLinks, listener, sampleResults] = others
  const pages = { loader, previewLoader, previewBar, readerLinks, listener, sampleResults }
  const loaded = { panelName, panel, proofName, proof, feedbackName, feedback }
  return { ...pages, ...loaded, dashboard }
}

/** Compiles an entry point to a single file. */
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

/**
 * Compiles the diagram library. This is separate from other scripts, because the library is large
 * and most sites have no diagrams.
 */
export function compileMermaid(): Promise<readonly Script[]> {
  return compile('mermaid', {})
}

/**
 * Returns the folder name of the diagram library without compiling it. The name is derived from
 * everything that determines the content. The files in the folder import one another by hashed
 * names, so they must change together.
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
    // Makes the hashes independent of the folder in which packages are installed.
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
