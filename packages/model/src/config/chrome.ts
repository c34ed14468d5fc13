/**
 * Settings for the parts around a page: navbar, footer, banner. A language can override each of
 * them.
 */
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOfMember, renameKey } from '../json/json-node.ts'
import {
  byType,
  flag,
  listOf,
  nameOf,
  oneOf,
  reportInvalid,
  type Schema,
  text,
  wrongType,
} from '../schema/schema.ts'
import { optional, required, shape, tagged } from '../schema/shape.ts'
import { correctionOf, didYouMean } from '../text/nearest.ts'
import { icon, link, someColors } from './values.ts'

const badge = (type: 'github' | 'discord') =>
  shape({
    type: required(oneOf([type]), 'Type of link.'),
    href: required(link, 'URL or page path.'),
    label: optional(text(), 'Label; the name of the service by default.'),
    icon: optional(icon, 'Icon before the label.'),
  })

const plainLabel = text()
/** The label of a header link, which may be empty if the link has an icon. */
const barLabel: Schema<string> = {
  ...plainLabel,
  read(node, report) {
    const isEmpty = node.type === 'string' && node.value.trim() === ''
    const hasIcon = node.parent?.type === 'object' && node.parent.members.has('icon')
    return isEmpty && hasIcon ? '' : plainLabel.read(node, report)
  },
}

const navbarLink = tagged(
  'type',
  {
    link: shape({
      label: required(barLabel, 'Text of the link; may be empty if there is an icon.'),
      href: required(link, 'URL or page path.'),
      icon: optional(icon, 'Icon before the label.'),
      type: optional(oneOf(['link', 'button', 'github', 'discord']), 'Kind of link.'),
    }),
    github: badge('github'),
    discord: badge('discord'),
  },
  'link',
)

export const navbar = shape({
  links: optional(listOf(navbarLink), 'Links in the header.'),
  primary: optional(
    tagged(
      'type',
      {
        button: shape(
          {
            type: required(oneOf(['button', 'github', 'discord']), 'Kind of call to action.'),
            label: required(text(), 'Label of the button.'),
            href: required(link, 'URL or page path.'),
          },
          { expected: 'an object with `type`, `label` and `href`' },
        ),
        github: badge('github'),
        discord: badge('discord'),
      },
      'button',
    ),
    'The one call to action in the header.',
  ),
})

const SOCIAL_NETWORKS = [
  ...(['x', 'website', 'facebook', 'youtube', 'discord', 'slack', 'github', 'linkedin'] as const),
  ...(['instagram', 'hacker-news', 'medium', 'telegram', 'twitter', 'x-twitter'] as const),
  ...(['earth-americas', 'bluesky', 'threads', 'reddit', 'podcast'] as const),
] as const

/** Social networks that have a logo. Any other network is reported and gets a globe icon. */
const socials: Schema<Readonly<Record<string, string>>> = {
  json: {
    type: 'object',
    properties: Object.fromEntries(SOCIAL_NETWORKS.map((name) => [name, { type: 'string' }])),
    additionalProperties: { type: 'string' },
  },
  expected: 'an object with a URL for each network',
  types: ['object'],
  read(node, report) {
    if (node.type !== 'object') return wrongType(report, node, socials.expected)
    const read: Record<string, string> = Object.create(null)
    for (const [network, { value }] of node.members) {
      if (!SOCIAL_NETWORKS.some((known) => known === network)) {
        const put = correctionOf(network, SOCIAL_NETWORKS)
        report(
          diagnose('key/unknown', placeOfMember(node, network), {
            message: `Octavo has no logo for the social network \`${network}\`; the link has a globe icon.`,
            hint: didYouMean(network, SOCIAL_NETWORKS, 'Use `website` for any other link.'),
            fix: put === undefined ? undefined : renameKey(node, network, put),
          }),
        )
      }
      const href = link.read(value, report)
      if (href !== undefined) read[network] = href
    }
    return read
  },
}

export const footer = shape({
  socials: optional(socials, 'Links to social networks, by network.'),
  links: optional(
    listOf(
      shape({
        header: optional(text(), 'Heading of the column.'),
        items: required(
          listOf(
            shape({
              label: required(text(), 'Text of the link.'),
              href: required(link, 'URL or page path.'),
            }),
            { min: 1 },
          ),
          'Links of the column.',
        ),
      }),
      { max: 4 },
    ),
    'Up to four columns of links.',
  ),
})

/** A longer banner would push the page out of view. */
const BANNER_LENGTH_MAX = 2_000

export const banner = shape({
  content: required(
    text({
      expected: 'a string, which may contain Markdown links, bold and italic',
      check: (value) =>
        value.length > BANNER_LENGTH_MAX
          ? `is longer than ${BANNER_LENGTH_MAX} characters`
          : undefined,
    }),
    'Text of the banner. May contain Markdown links, bold and italic.',
  ),
  dismissible: optional(flag, 'Readers can dismiss it; it stays hidden until its content changes.'),
  type: optional(oneOf(['info', 'warning', 'critical']), 'Severity of the banner.'),
  color: optional(someColors, 'Background color in light and dark mode.'),
})

const CONTEXTUAL_OPTIONS = [
  ...(['copy', 'view', 'assistant', 'download-pdf', 'download-spec', 'chatgpt', 'claude'] as const),
  ...(['perplexity', 'grok', 'aistudio', 'devin', 'windsurf', 'devin-desktop', 'mcp'] as const),
  ...(['add-mcp', 'cursor', 'vscode', 'devin-mcp'] as const),
] as const

const customOption = shape({
  title: required(text(), 'Title of the entry.'),
  description: required(text(), 'Description below the title.'),
  icon: optional(icon, 'Icon of the entry.'),
  href: required(
    byType(
      link,
      shape({
        base: required(link, 'URL without the query string.'),
        query: optional(
          listOf(
            shape({
              key: required(text(), 'Name of the parameter.'),
              value: required(text(), 'Value; may contain `$page`, `$path`, `$mcp`.'),
            }),
          ),
          'Query parameters.',
        ),
      }),
    ),
    'Link target; may contain `$page`, `$path`, `$mcp`.',
  ),
})

function leftOut(report: Report, node: JsonNode): void {
  reportInvalid(report, node, 'value/unsupported', {
    message: `${nameOf(node)} is not supported, so the page menu does not show it.`,
    hint: 'Use `mcp`, `add-mcp` or `vscode`, or remove the entry.',
  })
}

const plainOption = oneOf(CONTEXTUAL_OPTIONS)
const shownOption: typeof plainOption = {
  ...plainOption,
  read(node, report) {
    const option = plainOption.read(node, report)
    if (option === 'devin-mcp') leftOut(report, node)
    return option
  },
}

const options = listOf(byType(shownOption, customOption), {
  uniqueBy: (item) => item,
})

export const contextual = shape({
  options: required(options, 'Entries of the page menu, in order.'),
  display: optional(oneOf(['header', 'toc']), 'Position of the menu.'),
})
