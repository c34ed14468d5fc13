/**
 * Converts the legacy mint.json to a docs.json tree in which every value keeps its place in
 * mint.json. Keys without a counterpart are reported, so that the author can handle them.
 */
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import {
  describePath,
  type JsonNode,
  type JsonObject,
  placeOf,
  placeOfMember,
} from '../json/json-node.ts'
import { convertMintNavigation } from './convert-mint-navigation.ts'
import {
  arrayNode,
  booleanNode,
  items,
  member,
  objectNode,
  stringNode,
  textOf,
} from './node-builder.ts'

/** Keys that have the same meaning in mint.json and docs.json. */
const UNCHANGED_KEYS = [
  'name',
  'description',
  'favicon',
  'logo',
  'redirects',
  'feedback',
  'search',
  '$schema',
]

/** Keys that this file converts. */
const CONVERTED = [
  'colors',
  'topbarLinks',
  'topbarCtaButton',
  'topAnchor',
  'primaryTab',
  'anchors',
  'tabs',
  'versions',
  'navigation',
  'footerSocials',
  'footer',
  'backgroundImage',
  'background',
  'modeToggle',
  'api',
  'openapi',
  'analytics',
  'integrations',
  'seo',
  'metadata',
  'font',
  'codeBlock',
  'eyebrow',
  'iconLibrary',
]

/** Converts a parsed mint.json. The result is read like any other docs.json. */
export function convertMintJson(root: JsonObject, report: Report): JsonObject {
  report(
    diagnose('config/mint-json', placeOf(root), {
      message: 'This site uses mint.json, the legacy format. Octavo converts it in memory.',
      hint: 'Run `octavo migrate` to create docs.json; this file is kept as a backup.',
    }),
  )
  reportDroppedKeys(root, report)
  const kept = Object.fromEntries(UNCHANGED_KEYS.map((key) => [key, member(root, key)]))
  return objectNode(root, {
    ...kept,
    colors: convertColors(root),
    navbar: convertNavbar(root),
    navigation: convertMintNavigation(root),
    footer: convertFooter(root),
    background: convertBackground(root),
    appearance: convertAppearance(root),
    api: convertApi(root),
    integrations: convertIntegrations(root),
    seo: convertSeo(root),
    fonts: convertFonts(root),
    styling: convertStyling(root),
    icons: wrap(root, 'library', member(root, 'iconLibrary')),
  })
}

/** Keys inside `api` and `colors` that this file converts. */
const CONVERTED_INSIDE: Readonly<Record<string, readonly string[]>> = {
  api: [
    'baseUrl',
    'auth',
    'playground',
    'paramFields',
    'request',
    'disableProxy',
    'hidePlayground',
  ],
  colors: ['primary', 'light', 'dark', 'background'],
}

function reportDroppedKeys(root: JsonObject, report: Report): void {
  for (const [key, { value }] of root.members) {
    if (!UNCHANGED_KEYS.includes(key) && !CONVERTED.includes(key)) reportKey(root, key, report)
    const known = Object.hasOwn(CONVERTED_INSIDE, key) ? CONVERTED_INSIDE[key] : undefined
    if (known === undefined || value.type !== 'object') continue
    for (const inner of value.members.keys()) {
      if (!known.includes(inner)) reportKey(value, inner, report)
    }
  }
}

function reportKey(node: JsonObject, key: string, report: Report): void {
  const owner = node.parent === undefined ? '' : `${describePath(node)}.`
  report(
    diagnose('config/not-converted', placeOfMember(node, key), {
      message: `\`${owner}${key}\` in mint.json has no equivalent in docs.json, so it has no effect.`,
      hint: 'Remove the key, or look for a similar setting in the docs.json reference.',
    }),
  )
}

/** Returns `{key: value}`, or undefined if the value is undefined. */
function wrap(like: JsonNode, key: string, value: JsonNode | undefined): JsonNode | undefined {
  return value === undefined ? undefined : objectNode(like, { [key]: value })
}

/** Returns an object, or undefined if it has no members. */
function omitIfEmpty(object: JsonObject): JsonObject | undefined {
  return object.members.size === 0 ? undefined : object
}

function convertColors(root: JsonObject): JsonNode | undefined {
  const colors = member(root, 'colors')
  if (colors === undefined) return undefined
  const names = ['primary', 'light', 'dark']
  return objectNode(colors, Object.fromEntries(names.map((name) => [name, member(colors, name)])))
}

function convertNavbar(root: JsonObject): JsonNode | undefined {
  const links = member(root, 'topbarLinks')
  const button = member(root, 'topbarCtaButton')
  return omitIfEmpty(
    objectNode(root, {
      links: links && arrayNode(links, items(links).map(convertNavbarLink)),
      primary: button && convertNavbarLink(button, 'button'),
    }),
  )
}

function convertNavbarLink(node: JsonNode, kind: 'button' | number): JsonNode {
  const isGithub = textOf(member(node, 'type')) === 'github'
  const type = isGithub ? 'github' : kind === 'button' ? 'button' : undefined
  return objectNode(node, {
    label: member(node, 'name'),
    href: member(node, 'url'),
    icon: kind === 'button' ? undefined : member(node, 'icon'),
    type: type === undefined ? undefined : stringNode(node, type),
  })
}

function convertFooter(root: JsonObject): JsonNode | undefined {
  const footer = member(root, 'footer')
  const socials = member(root, 'footerSocials') ?? member(footer, 'socials')
  const columns = member(footer, 'links')
  return omitIfEmpty(
    objectNode(root, {
      socials: socials?.type === 'array' ? socialsByNetwork(socials) : socials,
      links: columns && arrayNode(columns, items(columns).map(convertFooterColumn)),
    }),
  )
}

function socialsByNetwork(list: JsonNode): JsonNode {
  const entries = items(list).map((item) => [
    textOf(member(item, 'type')) ?? '',
    member(item, 'url'),
  ])
  return objectNode(list, Object.fromEntries(entries))
}

function convertFooterColumn(column: JsonNode): JsonNode {
  const links = member(column, 'links') ?? member(column, 'items')
  return objectNode(column, {
    header: member(column, 'title') ?? member(column, 'header'),
    items:
      links &&
      arrayNode(
        links,
        items(links).map((link) =>
          objectNode(link, {
            label: member(link, 'label'),
            href: member(link, 'url') ?? member(link, 'href'),
          }),
        ),
      ),
  })
}

function convertBackground(root: JsonObject): JsonNode | undefined {
  return omitIfEmpty(
    objectNode(root, {
      image: member(root, 'backgroundImage'),
      decoration: member(member(root, 'background'), 'style'),
      color: member(member(root, 'colors'), 'background'),
    }),
  )
}

function convertAppearance(root: JsonObject): JsonNode | undefined {
  const toggle = member(root, 'modeToggle')
  if (toggle === undefined) return undefined
  return objectNode(toggle, {
    default: member(toggle, 'default'),
    strict: member(toggle, 'isHidden'),
  })
}

function convertApi(root: JsonObject): JsonNode | undefined {
  const api = member(root, 'api')
  const playground = member(api, 'playground')
  const proxyOff = member(playground, 'disableProxy') ?? member(api, 'disableProxy')
  const display = member(playground, 'mode') ?? member(playground, 'display')
  const auth = member(api, 'auth')
  const like = api ?? root
  const example = member(member(api, 'request'), 'example')
  return omitIfEmpty(
    objectNode(like, {
      openapi: member(root, 'openapi'),
      mdx: omitIfEmpty(
        objectNode(like, {
          server: member(api, 'baseUrl'),
          auth:
            auth &&
            objectNode(auth, { method: member(auth, 'method'), name: member(auth, 'name') }),
        }),
      ),
      playground: omitIfEmpty(
        objectNode(like, {
          display: convertDisplay(display, member(api, 'hidePlayground')),
          proxy: proxyOff?.type === 'boolean' ? booleanNode(proxyOff, !proxyOff.value) : undefined,
        }),
      ),
      params: wrap(like, 'expanded', member(member(api, 'paramFields'), 'expanded')),
      examples: wrap(like, 'languages', member(example, 'languages')),
    }),
  )
}

/** `show` and `hide` were replaced by modes. In even older files, hiding was a separate flag. */
function convertDisplay(
  display: JsonNode | undefined,
  hidden: JsonNode | undefined,
): JsonNode | undefined {
  if (hidden?.type === 'boolean' && hidden.value) return stringNode(hidden, 'none')
  if (display === undefined) return undefined
  const word = textOf(display)
  if (word === 'show') return stringNode(display, 'interactive')
  return word === 'hide' ? stringNode(display, 'none') : display
}

function convertIntegrations(root: JsonObject): JsonNode | undefined {
  const analytics = member(root, 'analytics')
  const integrations = member(root, 'integrations')
  const merged = [analytics, integrations].flatMap((node) =>
    node?.type === 'object'
      ? [...node.members].map(([key, { value }]) => [key, asObject(key, value)])
      : [],
  )
  const written = analytics ?? integrations ?? root
  return omitIfEmpty(objectNode(written, Object.fromEntries(merged)))
}

/** Converts the old short form of a tool, such as `"intercom": "abc"`. */
function asObject(key: string, value: JsonNode): JsonNode {
  if (value.type !== 'string') return value
  const field = { intercom: 'appId', frontchat: 'snippetId' }[key]
  return field === undefined ? value : objectNode(value, { [field]: value })
}

function convertSeo(root: JsonObject): JsonNode | undefined {
  const hidden = member(member(root, 'seo'), 'indexHiddenPages')
  return omitIfEmpty(
    objectNode(root, {
      metatags: member(root, 'metadata'),
      indexing:
        hidden?.type === 'boolean'
          ? stringNode(hidden, hidden.value ? 'all' : 'navigable')
          : undefined,
    }),
  )
}

function convertFonts(root: JsonObject): JsonNode | undefined {
  const font = member(root, 'font')
  if (font === undefined) return undefined
  const headings = member(font, 'headings')
  const body = member(font, 'body')
  if (headings === undefined && body === undefined) return convertFont(font)
  return objectNode(font, {
    heading: headings && convertFont(headings),
    body: body && convertFont(body),
  })
}

function convertFont(font: JsonNode): JsonNode {
  return objectNode(font, {
    family: member(font, 'family'),
    weight: member(font, 'weight'),
    source: member(font, 'url'),
    format: member(font, 'format'),
  })
}

function convertStyling(root: JsonObject): JsonNode | undefined {
  const mode = member(member(root, 'codeBlock'), 'mode')
  return omitIfEmpty(
    objectNode(root, {
      codeblocks: mode && textOf(mode) === 'auto' ? stringNode(mode, 'system') : mode,
      eyebrows: member(member(root, 'eyebrow'), 'display'),
    }),
  )
}
