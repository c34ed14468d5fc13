/**
 * Makes the two typefaces of every page, Inter for text and JetBrains Mono for code, from the
 * packages of Fontsource. They contain only what pages use, so that both are smaller than all of
 * Inter's Latin subset.
 *
 *   npx node scripts/make-typefaces.ts <node_modules>
 *
 * The folder has `@fontsource-variable/inter` and `@fontsource-variable/jetbrains-mono`. This needs
 * `pyftsubset` and `fonttools` (Debian: fonttools, python3-brotli). Their output is a file of this
 * repository, because it must be the same for each build.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TARGET = join(import.meta.dirname, '../packages/builder/src/output/typefaces.json')
/** The names of a font with its copyright and license. */
const NAMES = '--name-IDs=0,1,2,3,4,5,6,13,14'
/**
 * Inter without its alternative letters and without contextual forms, which would turn `0x12` into a
 * multiplication and `->` into an arrow. Digits of the same width are for tables.
 */
const INTER_FEATURES = '--layout-features=kern,ccmp,locl,mark,mkmk,tnum'
/** The characters of code. Others are shown in a font of the reader with the same width. */
const CODE_CHARACTERS = 'U+0020-007E,U+00A0,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026'
/** The weights that pages use for code, including names of fields and methods. */
const CODE_WEIGHTS = 'wght=400:700'

const [packages] = process.argv.slice(2)
if (packages === undefined) throw new Error('Name a node_modules folder with both packages.')
const work = mkdtempSync(join(tmpdir(), 'octavo-typefaces-'))
try {
  const latin = (name: string) =>
    join(packages, `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`)
  const ranges = JSON.parse(
    readFileSync(join(packages, '@fontsource-variable/inter/unicode.json'), 'utf8'),
  ) as { readonly latin: string }
  const inter = subset(latin('inter'), `--unicodes=${ranges.latin}`, INTER_FEATURES)
  const code = join(work, 'code.woff2')
  const all = subset(latin('jetbrains-mono'), `--unicodes=${CODE_CHARACTERS}`, '--layout-features=')
  execFileSync('fonttools', ['varLib.instancer', all, CODE_WEIGHTS, '-q', '-o', code])
  const fonts = {
    inter: { range: ranges.latin, woff2: base64(inter) },
    mono: { range: CODE_CHARACTERS, woff2: base64(code) },
  }
  writeFileSync(TARGET, `${JSON.stringify(fonts, null, 2)}\n`)
  for (const file of [inter, code]) console.log(file, readFileSync(file).length)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function subset(file: string, ...options: readonly string[]): string {
  const output = join(work, `${options.join('').length}.woff2`)
  const common = ['--flavor=woff2', '--no-hinting', NAMES, `--output-file=${output}`]
  execFileSync('pyftsubset', [file, ...options, ...common])
  return output
}

function base64(file: string): string {
  return readFileSync(file).toString('base64')
}
