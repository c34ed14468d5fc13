/**
 * Compiles everything that does not depend on a site when the package is built, so that the package
 * needs neither a compiler nor the compiled libraries.
 */
import { islandAssets } from '../../packages/builder/src/islands/island-assets.ts'
import {
  compileDevClient,
  compileHostScripts,
  compileMermaid,
  compileScripts,
} from '../../packages/builder/src/scripts/compile-scripts.ts'
import { hostWords } from '../../packages/builder/src/scripts/host-scripts.ts'
import { translateGrammar } from '../../packages/theme/src/highlight/translate-grammar.ts'

type Grammar = Parameters<typeof translateGrammar>[0]

/** The path of the compiled assets in a package. */
export const COMPILED_FOLDER = 'lib/compiled'

/**
 * The most common languages in documentation. The patterns of other languages are translated when
 * they are first used.
 */
const LANGUAGES =
  `bat c csharp css dart diff docker elixir go graphql hcl html http ini java javascript json jsx kotlin
  lua make nginx php powershell proto python ruby rust scss shellscript sql swift toml tsx typescript vue xml
  yaml`.split(/\s+/)

export async function compileAssets() {
  return {
    json: {
      scripts: await compileScripts(),
      mermaid: await compileMermaid(),
      'dev-client': await compileDevClient(),
      islands: await islandAssets(),
      'host-scripts': await compileHostScripts(JSON.stringify([...(await hostWords())])),
    },
    patterns: await Promise.all(
      LANGUAGES.map(async (name) => [name, await translateLanguage(name)] as const),
    ),
  }
}

async function translateLanguage(name: string) {
  const module = (await import(`@shikijs/langs/${name}`)) as { default: Grammar[] }
  const grammar = module.default.at(-1)
  if (grammar?.name !== name) throw new Error(`The grammar of ${name} has a different name.`)
  return translateGrammar(grammar)
}
