/** Converts the settings of Docusaurus to those of docs.json. */
import { posix } from 'node:path'
import type { Assets } from '../folder/assets.ts'
import type { MigrationReport } from '../site/report.ts'
import { asValues, type Values, withoutUndefined } from '../site/values.ts'
import type { DocusaurusConfig } from './read-config.ts'

type Input = {
  readonly config: DocusaurusConfig
  readonly assets: Assets
  readonly report: MigrationReport
  /** Returns the new address of a page of the old site. */
  readonly address: (url: string) => string | undefined
}

export function readSettings(input: Input): Values {
  const { config, report } = input
  const { values, preset, place } = config
  const theme = asValues(values.themeConfig)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const navbar = asValues(theme.navbar)
  const logo = asValues(navbar.logo)
  const light = asset(logo.src, 'logo', input)
  const dark = asset(logo.srcDark, 'logo', input)
  const docs = asValues(preset.docs)
  if (theme.announcementBar !== undefined)
    report.leave(
      'The announcement bar was not moved. Write it as `banner` in docs.json.',
      place('announcementBar'),
    )
  report.leave(
    'The colors of the site are in its stylesheets. Set `colors` in docs.json.',
    place('theme'),
  )
  return withoutUndefined({
    name: text(values.title),
    description: text(values.tagline),
    logo: light === undefined || dark === undefined ? light : { light, dark },
    favicon: asset(values.favicon, 'favicon', input),
    navbar: readNavbar(navbar, input),
    footer: readFooter(asValues(theme.footer), input),
    integrations: readAnalytics(preset, report),
    metadata: docs.showLastUpdateTime === true ? { timestamp: true } : undefined,
  })
}

function asset(
  written: unknown,
  key: string,
  { config, assets, report }: Input,
): string | undefined {
  if (typeof written !== 'string' || written === '') return undefined
  if (/^https?:/.test(written)) return written
  const found = assets.add(posix.join(config.base, 'static'), written.replace(/^\/+/, ''))
  if (found === undefined) report.leave(`\`${written}\` is not in the folder.`, config.place(key))
  else report.convert(key)
  return found === undefined ? undefined : decodeURI(found)
}

type Link = { readonly label: string; readonly href: string }

/** Returns the links of a list that lead to a page of the new site or to another site. */
function linksOf(items: unknown, { address }: Input): readonly Link[] {
  const entries = Array.isArray(items) ? items.map(asValues) : []
  return entries.flatMap(({ label, href, to }) => {
    const written = typeof href === 'string' ? href : typeof to === 'string' ? to : undefined
    if (written === undefined || typeof label !== 'string' || label === '') return []
    const found = /^https?:\/\//.test(written) ? written : address(written)
    return found === undefined ? [] : [{ label, href: found }]
  })
}

function readNavbar(navbar: Values, input: Input): Values | undefined {
  const outside = linksOf(navbar.items, input).filter(({ href }) => /^https?:/.test(href))
  const entries = Array.isArray(navbar.items) ? navbar.items.map(asValues) : []
  const github = entries.find(({ href }) => String(href).startsWith('https://github.com/'))?.href
  const others = outside.filter(({ href }) => href !== github)
  const links = [...others, ...(github === undefined ? [] : [{ type: 'github', href: github }])]
  if (links.length > 0) input.report.convert('link of the navbar', links.length)
  for (const { type, label } of entries)
    if (type === 'dropdown')
      input.report.leave(
        `The menu “${String(label)}” of the navbar was not moved.`,
        input.config.place('navbar', String(label)),
      )
  return links.length === 0 ? undefined : { links }
}

function readFooter(footer: Values, input: Input): Values | undefined {
  const columns = (Array.isArray(footer.links) ? footer.links : []).map(asValues)
  const links = columns.flatMap(({ title, items }) => {
    const found = linksOf(items, input)
    if (found.length === 0) return []
    return [{ header: typeof title === 'string' ? title : 'Links', items: found }]
  })
  if (links.length > 0) input.report.convert('column of the footer', links.length)
  if (footer.copyright !== undefined)
    input.report.leave(
      'The copyright line has no place in docs.json.',
      input.config.place('copyright'),
    )
  return links.length === 0 ? undefined : { links }
}

function readAnalytics(preset: Values, report: MigrationReport): Values | undefined {
  const { trackingID: id } = asValues(preset.gtag)
  const tag = (Array.isArray(id) ? id : [id]).find((one) => /^G-\w+$/.test(String(one)))
  const { containerId } = asValues(preset.googleTagManager)
  if (tag === undefined && typeof containerId !== 'string') return undefined
  report.convert('analytics')
  return withoutUndefined({
    ga4: tag === undefined ? undefined : { measurementId: tag },
    gtm: typeof containerId === 'string' ? { tagId: containerId } : undefined,
  })
}
