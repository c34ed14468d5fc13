/** Checks the settings in docs.json that refer to pages and files. */
import {
  correctValue,
  diagnose,
  type Fix,
  type JsonNode,
  type JsonString,
  placeOf,
  placeOfMember,
  type Report,
} from '@octavo/model'
import { findLanguage } from '@octavo/openapi'
import { changedColors } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import { wantedLinks } from '../plan/feedback-links.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { internalLinks, pathOfHref } from './config-links.ts'
import { CORRECT_LINK, type SiteAddresses } from './site-addresses.ts'

export type ConfigCheck = {
  readonly site: LoadedSite
  readonly tree: Pick<SourceTree, 'changedAt' | 'repository'>
  readonly addresses: SiteAddresses
  readonly report: Report
}

export function checkConfig(check: ConfigCheck): void {
  const root = check.site.configRoot
  if (root !== undefined) {
    checkHrefs(root, check)
    checkColors(root, check)
    checkHistory(root, check)
    checkRepository(root, check)
    checkSampleLanguages(root, check)
    for (const path of FILE_KEYS) checkFile(root, path, check)
  }
  checkDestinations(check)
}

/** Settings whose value is the name of a file in the repository. */
const FILE_KEYS: readonly (readonly string[])[] = [
  ['favicon'],
  ['favicon', 'light'],
  ['favicon', 'dark'],
  ['logo'],
  ['logo', 'light'],
  ['logo', 'dark'],
  ['background', 'image'],
  ['background', 'image', 'light'],
  ['background', 'image', 'dark'],
  ['thumbnails', 'background'],
  ['fonts', 'source'],
  ['fonts', 'heading', 'source'],
  ['fonts', 'body', 'source'],
]

/** Reports links in docs.json to missing pages. `concerns` selects the paths to check. */
export function checkHrefs(
  root: JsonNode,
  { addresses, report }: ConfigCheck,
  concerns: (path: string) => boolean = () => true,
): void {
  for (const node of internalLinks(root)) {
    const path = pathOfHref(node.value)
    if (!concerns(path) || addresses.find(path) !== undefined) continue
    const message = `Broken link: \`${path}\` does not exist.`
    const { hint, correction } = addresses.adviceFor(path, { otherwise: CORRECT_LINK })
    const fix = correctLink(node, correction)
    report(diagnose('link/broken', placeOf(node), { message, hint, fix }))
  }
}

/** Returns a fix that replaces the address and keeps its query and fragment. */
function correctLink(node: JsonString, correction: string | undefined): Fix | undefined {
  const rest = /[?#].*$/s.exec(node.value.trim())?.[0] ?? ''
  return correctValue(node, correction && `${correction}${rest}`)
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(
    (at, key) => (at?.type === 'object' ? at.members.get(key)?.value : undefined),
    root,
  )
}

function checkFile(root: JsonNode, path: readonly string[], check: ConfigCheck): void {
  const { addresses, report } = check
  const node = nodeAt(root, path)
  if (node?.type !== 'string' || /^(?:[a-z][a-z\d+.-]*:|\/\/)|^\s*$/i.test(node.value)) return
  const file = node.value
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/^(?:\.?\/)+/, '')
  if (addresses.hasFile(file)) return
  const message = `The file \`${file}\` does not exist, so nothing is shown.`
  const hint = 'Add the file, or correct the path.'
  report(diagnose('link/missing-file', placeOf(node), { message, hint }))
}

/** Reports that page dates need a Git history, which is often missing on a build server. */
function checkHistory(root: JsonNode, { site, tree, report }: ConfigCheck): void {
  const metadata = nodeAt(root, ['metadata'])
  if (metadata?.type !== 'object' || site.config.metadata?.timestamp !== true) return
  if (site.pages.some(({ file }) => tree.changedAt(file) !== undefined)) return
  const message =
    '`metadata.timestamp` has no effect here: there is no Git history to read the dates from.'
  const hint =
    'Commit the pages, and build in a clone with the full history: `fetch-depth: 0` in GitHub Actions.'
  report(diagnose('value/no-effect', placeOfMember(metadata, 'timestamp'), { message, hint }))
}

/** Reports links to the repository if its remote is unknown. */
function checkRepository(root: JsonNode, { site, tree, report }: ConfigCheck): void {
  const feedback = nodeAt(root, ['feedback'])
  const { edit, issue } = wantedLinks(site.config)
  if (feedback?.type !== 'object' || !(edit || issue) || tree.repository?.() !== undefined) return
  const keys = ['suggestEdit', 'edits', 'raiseIssue', 'issues'] as const
  for (const key of keys.filter((one) => site.config.feedback?.[one] === true)) {
    const message = `\`feedback.${key}\` has no effect here: the folder is not in a Git repository with a remote \`origin\` on GitHub, GitLab or Bitbucket.`
    const hint = 'Build in a clone of the repository, or remove the key.'
    report(diagnose('value/no-effect', placeOfMember(feedback, key), { message, hint }))
  }
}

/** Reports languages that the generator of code samples does not support. */
function checkSampleLanguages(root: JsonNode, { report }: ConfigCheck): void {
  const list = nodeAt(root, ['api', 'examples', 'languages'])
  for (const node of list?.type === 'array' ? list.items : []) {
    if (node.type !== 'string' || findLanguage(node.value) !== undefined) continue
    const message = `Octavo cannot generate code samples in "${node.value}".`
    const hint = 'Use a language from the list in the reference, such as `curl`, `python` or `go`.'
    report(diagnose('value/no-effect', placeOf(node), { message, hint }))
  }
}

function checkColors(root: JsonNode, { site, report }: ConfigCheck): void {
  const colors = root.type === 'object' ? root.members.get('colors')?.value : undefined
  if (colors?.type !== 'object') return
  for (const { key, scheme, written, used, isReadableOnPage } of changedColors(site.config)) {
    const node = colors.members.get(key)?.value
    if (node === undefined) continue
    const [ground, where] = isReadableOnPage
      ? [`on highlighted areas in ${scheme} mode`, `in ${scheme} mode`]
      : [`in ${scheme} mode`, 'there']
    report(
      diagnose('value/contrast', placeOf(node), {
        message: `${written} has too little contrast for text ${ground} (less than 4.5:1), so links and similar text use ${used} ${where}.`,
        hint:
          key === 'light' || scheme === 'light'
            ? 'The new color has the same hue. Set that color to choose it yourself, or ignore this note.'
            : 'The new color has the same hue. Set `colors.light` to choose it yourself, or ignore this note.',
      }),
    )
  }
}

function checkDestinations({ site, addresses, report }: ConfigCheck): void {
  for (const { destination, source, node } of site.redirects) {
    // The target of a wildcard is known only at request time.
    if (/[:*]/.test(destination) || destination.startsWith('//')) continue
    const from = pathOfHref(source)
    // Another diagnostic reports redirects that are never used.
    if (/#|\?./.test(source) || addresses.find(from)?.kind === 'page') continue
    const path = pathOfHref(destination)
    const found = addresses.find(path)
    // In a chain of redirects, only the last redirect is checked.
    if (found !== undefined) continue
    const { hint, correction } = addresses.adviceFor(path, {
      from,
      otherwise: 'Point this redirect to a page.',
    })
    const written = node.members.get('destination')?.value
    report(
      diagnose('redirect/broken', placeOfMember(node, 'destination'), {
        message: `The redirect from "${source}" points to "${destination}", which does not exist.`,
        hint,
        fix: written?.type === 'string' ? correctLink(written, correction) : undefined,
      }),
    )
  }
}
