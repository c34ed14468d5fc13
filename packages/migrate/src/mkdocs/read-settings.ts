/** Converts the settings of MkDocs and the Material theme to those of docs.json. */

import { type FindIcon, findNamedIcon } from '../page/icons.ts'
import type { MigrationReport } from '../site/report.ts'
import { asValues, type Values, withoutUndefined } from '../site/values.ts'
import { type MkdocsConfig, readNamed } from './read-config.ts'

export type SettingsInput = {
  readonly config: MkdocsConfig
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
  /** Copies a file of the pages and returns its new path; undefined if it does not exist. */
  readonly asset: (path: string) => string | undefined
}

/** Named colors of the Material palette, in their main shade. */
const COLORS: Readonly<Record<string, string>> = {
  red: '#EF5552',
  pink: '#E92063',
  purple: '#AB47BD',
  'deep purple': '#7E56C2',
  indigo: '#4051B5',
  blue: '#2094F3',
  'light blue': '#02A6F2',
  cyan: '#00BDD6',
  teal: '#009485',
  green: '#4CAE4F',
  'light green': '#8BC34B',
  lime: '#CBDC38',
  yellow: '#FFEC3D',
  amber: '#FFC105',
  orange: '#FFA724',
  'deep orange': '#FF6E42',
  brown: '#795649',
  grey: '#757575',
  'blue grey': '#546D78',
  black: '#1A1A1A',
}

export function readSettings(input: SettingsInput): Values {
  const { config, report, asset } = input
  const { values, place } = config
  const theme = asValues(values.theme)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const name = text(values.site_name) ?? text(values.repo_name)
  const logo = text(theme.logo)
  const favicon = text(theme.favicon)
  const file = (written: string | undefined, key: string) => {
    if (written === undefined || /^https?:/.test(written)) return written
    const path = asset(written)
    if (path === undefined)
      report.leave(`\`${written}\` is not in the folder.`, place('theme', key))
    else report.convert(key)
    return path
  }
  return withoutUndefined({
    name,
    description: text(values.site_description)?.trim(),
    colors: readColors(theme, input),
    logo: file(logo, 'logo'),
    favicon: file(favicon, 'favicon'),
    navbar: readNavbar(values, report),
    footer: readFooter(values, input),
    integrations: readAnalytics(input),
    feedback: readFeedback(values, theme),
    metadata: [...readNamed(values.plugins).keys()].some((plugin) =>
      plugin.startsWith('git-revision-date'),
    )
      ? { timestamp: true }
      : undefined,
  })
}

function readColors(theme: Values, { config, report }: SettingsInput): Values | undefined {
  const palettes = Array.isArray(theme.palette) ? theme.palette : [theme.palette]
  const named = palettes.map((one) => {
    const { scheme, primary, accent } = asValues(one)
    const color = [primary, accent].find(
      (it) => typeof it === 'string' && it !== 'black' && it !== 'white',
    )
    return { isDark: scheme === 'slate', color: COLORS[String(color).replaceAll('-', ' ')] }
  })
  const light = named.find(({ isDark, color }) => !isDark && color !== undefined)?.color
  const dark = named.find(({ isDark, color }) => isDark && color !== undefined)?.color
  if (light === undefined && dark === undefined) {
    if (theme.palette !== undefined)
      report.leave(
        'The colors of the site are not in the palette of the configuration. Set `colors` in docs.json.',
        config.place('theme', 'palette'),
      )
    return undefined
  }
  report.convert('colors')
  return { primary: light ?? dark, light: dark ?? light, dark: light ?? dark }
}

function readNavbar(values: Values, report: MigrationReport): Values | undefined {
  const url = typeof values.repo_url === 'string' ? values.repo_url.replace(/\/$/, '') : ''
  if (!/^https?:\/\//.test(url)) return undefined
  report.convert('repository link')
  const label = typeof values.repo_name === 'string' ? values.repo_name : 'Repository'
  return url.startsWith('https://github.com/')
    ? { links: [{ type: 'github', href: url }] }
    : { links: [{ label, href: url }] }
}

const NETWORKS: Readonly<Record<string, string>> = {
  github: 'github',
  twitter: 'x',
  'x-twitter': 'x',
  discord: 'discord',
  slack: 'slack',
  linkedin: 'linkedin',
  bluesky: 'bluesky',
  youtube: 'youtube',
  facebook: 'facebook',
  instagram: 'instagram',
  medium: 'medium',
  telegram: 'telegram',
  reddit: 'reddit',
  threads: 'threads',
  'mark-github': 'github',
}

function readFooter(
  values: Values,
  { config, report, hasIcon }: SettingsInput,
): Values | undefined {
  const { social } = asValues(values.extra)
  const entries = Array.isArray(social) ? social.map(asValues) : []
  const socials: Record<string, string> = {}
  const others: Values[] = []
  for (const { icon, link, name } of entries) {
    if (typeof link !== 'string' || !/^https?:/.test(link)) continue
    const brand = String(icon).split('/').at(-1)?.replace(/-\d+$/, '') ?? ''
    const network = NETWORKS[brand]
    if (network !== undefined && !Object.hasOwn(socials, network)) socials[network] = link
    else {
      const known = typeof icon === 'string' ? findNamedIcon(icon, hasIcon) : undefined
      others.push({
        label: typeof name === 'string' ? name : (known?.name ?? new URL(link).hostname),
        href: link,
      })
    }
  }
  if (entries.length > 0) report.convert('social link', entries.length)
  if (values.copyright !== undefined)
    report.leave('The copyright line has no place in docs.json.', config.place('copyright'))
  if (entries.length === 0) return undefined
  return withoutUndefined({
    socials: Object.keys(socials).length === 0 ? undefined : socials,
    links: others.length === 0 ? undefined : [{ header: 'Links', items: others }],
  })
}

function readAnalytics({ config, report }: SettingsInput): Values | undefined {
  const analytics = asValues(asValues(config.values.extra).analytics)
  const place = config.place('extra', 'analytics')
  const { provider, property, domain } = analytics
  if (provider === undefined) return undefined
  if (provider === 'google' && typeof property === 'string' && /^G-\w+$/.test(property)) {
    report.convert('analytics')
    return { ga4: { measurementId: property } }
  }
  if (provider === 'plausible' && typeof domain === 'string') {
    report.convert('analytics')
    return { plausible: { domain: domain.split(',')[0]?.trim() } }
  }
  report.leave(
    `The id of the analytics tool \`${String(provider)}\` is not in the configuration. Set it in \`integrations\` of docs.json.`,
    place,
  )
  return undefined
}

function readFeedback(values: Values, theme: Values): Values | undefined {
  const features = Array.isArray(theme.features) ? theme.features : []
  const isRated = asValues(asValues(values.extra).analytics).feedback !== undefined
  const hasEdit = features.includes('content.action.edit')
  if (!isRated && !hasEdit) return undefined
  return withoutUndefined({
    suggestEdit: hasEdit ? true : undefined,
    thumbsRating: isRated ? true : undefined,
  })
}

/** What has an effect in MkDocs and is read elsewhere, or has one in Octavo without a setting. */
const DONE: ReadonlySet<string> = new Set(
  `search redirects blog tags mkdocstrings autorefs macros git-revision-date-localized git-revision-date
  minify privacy offline social meta info optimize exclude llmstxt mermaid2 rss i18n awesome-pages glightbox typeset
  material-plausible`.split(/\s+/),
)

/** Reports settings that nothing reads. */
export function reportSettings({ config, report }: Pick<SettingsInput, 'config' | 'report'>): void {
  const { values, place } = config
  for (const name of readNamed(values.plugins).keys()) {
    const plain = name.replace(/^material\//, '')
    if (!DONE.has(plain))
      report.leave(`The plugin \`${name}\` has no equivalent.`, place('plugins', name))
  }
  const count = (key: string) => (Array.isArray(values[key]) ? values[key].length : 0)
  if (count('extra_css') > 0)
    report.leave(
      'The stylesheets in `extra_css` style the old theme and were not copied. Octavo loads every `.css` file in the folder.',
      place('extra_css'),
    )
  if (count('extra_javascript') > 0)
    report.leave(
      'The scripts in `extra_javascript` were not copied. Octavo loads every `.js` file in the folder.',
      place('extra_javascript'),
    )
  if (count('hooks') > 0)
    report.leave(
      'The hooks are Python code, which is not run. What they add to pages is missing.',
      place('hooks'),
    )
  if (asValues(values.theme).custom_dir !== undefined)
    report.leave(
      'The templates in `custom_dir` belong to the old theme and were not copied.',
      place('theme', 'custom_dir'),
    )
  if (asValues(values.extra).alternate !== undefined)
    report.leave(
      'The language menu links to sites of their own. Migrate each of them, or list them in `navigation.languages`.',
      place('extra', 'alternate'),
    )
}
