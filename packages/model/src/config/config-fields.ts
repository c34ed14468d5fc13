/** All top-level keys of docs.json except `navigation`, with their schemas and descriptions. */
import { CODE_SEVERITIES } from '../diagnostics/diagnostic-codes.ts'
import { FAIL_ON } from '../diagnostics/stops-deployment.ts'
import {
  anything,
  flag,
  listOf,
  mapOf,
  oneOf,
  reported,
  text,
  withoutEffect,
} from '../schema/schema.ts'
import { type LegacyKeys, optional, required, shape } from '../schema/shape.ts'
import { api } from './api.ts'
import {
  appearance,
  background,
  colors,
  favicon,
  fonts,
  icons,
  logo,
  STYLES_ARE_LOADED,
  styling,
  theme,
  thumbnails,
} from './appearance.ts'
import { assistant } from './assistant.ts'
import { banner, contextual, footer, navbar } from './chrome.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { integrations } from './integrations.ts'
import { markdown, seo } from './seo.ts'
import { link } from './values.ts'

const redirect = shape({
  source: required(text({ expected: 'a path' }), 'Old path; may contain `*` or `:name*`.'),
  destination: required(link, 'New path or URL.'),
  permanent: optional(flag, 'Browsers may cache the redirect (308); `false` for 307.'),
})

const notFoundPage = shape({
  redirect: optional(
    withoutEffect(flag, 'an error page is shown'),
    'Send readers to the first page instead of showing an error.',
  ),
  title: optional(text(), 'Title of the error page.'),
  description: optional(text(), 'Text of the error page.'),
})

const ignoreRule = shape({
  code: required(text({ expected: 'a code such as `link/broken`' }), 'The diagnostic code.'),
  file: optional(text({ expected: 'a path' }), 'A file or a folder; all files by default.'),
  reason: required(text(), 'Why it is suppressed.'),
})

/** Settings that other products have in a dashboard; here they are part of the repository. */
const feedback = shape({
  thumbsRating: optional(flag, 'Ask readers whether the page was helpful.'),
  suggestEdit: optional(flag, 'Link to edit the page.'),
  raiseIssue: optional(flag, 'Link to report a problem.'),
  thumbs: optional(flag, 'Ask readers whether the page was helpful.'),
  edits: optional(flag, 'Link to edit the page.'),
  issues: optional(flag, 'Link to report a problem.'),
  codeSnippet: optional(flag, 'Let readers report a problem with a code block.'),
})

/** Search compares single words, so a phrase would find pages with any of its words. */
const searchWord = text({
  expected: 'one word of letters and digits',
  json: { pattern: '^[\\p{L}\\p{M}\\p{N}]+$', maxLength: 50 },
  check: (value) =>
    /^[\p{L}\p{M}\p{N}]{1,50}$/u.test(value) ? undefined : `is "${value}", which is not one word`,
  hint: 'Write one word of at most 50 letters and digits, without spaces and hyphens.',
})

/**
 * A key that alone does not protect pages. It is always reported, because an author may rely on it
 * for protection.
 */
const setByHost = reported(anything, 'value/set-by-host', (name) => ({
  message: `The host decides who may read the site; ${name} alone does not protect it.`,
  hint: 'On an Octavo service, choose how readers sign in under Access. Until then, the service rejects this site. If you host static files, put them where only authorized readers can reach them.',
}))

export const CONFIG_FIELDS = {
  $schema: optional(text(), 'URL of the JSON schema of this file, for editors.'),
  theme: optional(theme, 'Theme of the site.'),
  name: optional(text(), 'Name of the site.'),
  description: optional(text(), 'Description of the site, for search engines and agents.'),
  public: optional(flag, 'Readers do not need to sign in.'),
  colors: optional(colors, 'Colors of the site.'),
  logo: optional(logo, 'Logo in the header.'),
  favicon: optional(favicon, 'Icon in the browser tab.'),
  appearance: optional(appearance, 'Light and dark mode.'),
  background: optional(background, 'Background of the page.'),
  fonts: optional(fonts, 'Fonts.'),
  icons: optional(icons, 'Icon library.'),
  styling: optional(styling, 'Styling details.'),
  thumbnails: optional(thumbnails, 'Preview images for social networks.'),
  navbar: optional(navbar, 'Links in the header.'),
  footer: optional(footer, 'Links in the footer.'),
  banner: optional(banner, 'Announcement above every page.'),
  search: optional(
    shape({
      prompt: optional(text(), 'Placeholder of the search field.'),
      synonyms: optional(
        listOf(listOf(searchWord, { min: 2, max: 20 }), { max: 200 }),
        'Groups of words that mean the same.',
      ),
    }),
    'The search field.',
  ),
  interaction: optional(
    shape({
      drilldown: optional(
        flag,
        'Selecting a group opens its first page (`true`) or only expands it (`false`).',
      ),
    }),
    'How the navigation behaves.',
  ),
  contextual: optional(contextual, 'The menu of each page.'),
  assistant: optional(assistant, 'The assistant that answers readers on hosted sites.'),
  api: optional(api, 'The API reference.'),
  seo: optional(seo, 'Search engines.'),
  markdown: optional(markdown, 'Markdown copies of the pages, for agents.'),
  redirects: optional(
    listOf(redirect, {
      uniqueBy: (item) => (item.type === 'object' ? item.members.get('source')?.value : undefined),
    }),
    'Redirects from old paths to new ones.',
  ),
  errors: optional(
    shape({ '404': optional(notFoundPage, 'The error page for URLs that do not exist.') }),
    'Error pages.',
  ),
  metadata: optional(
    shape({
      timestamp: optional(flag, 'Show when a page was last modified.'),
    }),
    'Page metadata.',
  ),
  variables: optional(mapOf(text()), 'Variables for `{{name}}` in pages.'),
  integrations: optional(integrations, 'Analytics and support tools.'),
  contentSecurityPolicy: optional(
    contentSecurityPolicy,
    'More hosts that pages may use, in addition to those that Octavo finds in them.',
  ),
  feedback: optional(feedback, 'Feedback from readers about a page.'),
  check: optional(
    shape({
      ignore: optional(listOf(ignoreRule), 'Diagnostics to suppress.'),
      severity: optional(
        mapOf(oneOf(CODE_SEVERITIES)),
        'Severity by diagnostic code: `error`, `warning`, `note`, or `off` to suppress it everywhere.',
      ),
    }),
    'Diagnostics that `octavo check` suppresses or reports with another severity.',
  ),
  deploy: optional(
    shape({
      failOn: optional(
        oneOf(FAIL_ON),
        'Findings that stop a deployment: errors that break the site (`breaking`, the default), every `error`, every `warning` too, or `none`.',
      ),
    }),
    'How the site is deployed.',
  ),
  auth: optional(setByHost, 'Sign-in is required: who may read the site.'),
  userAuth: optional(setByHost, 'Sign-in is optional: pages are personalized for the reader.'),
  variations: optional(
    withoutEffect(
      shape({
        options: required(
          listOf(
            shape({
              id: required(text(), 'Identifier.'),
              label: required(text(), 'Name of the variation.'),
            }),
          ),
          'The variations; the first is the default.',
        ),
      }),
      'all readers see the same content',
    ),
    'Variations of the content.',
  ),
}

const SCRIPTS_ARE_LOADED = 'Remove it: pages load every `.js` file in the repository.'

/** Keys that were replaced years ago, but are still common in real repositories. */
export const LEGACY_CONFIG_KEYS: LegacyKeys = {
  anchors: 'Use `navigation.anchors`, or `navigation.global.anchors` for links on every page.',
  tabs: 'Use `navigation.tabs`.',
  versions: 'Use `navigation.versions`.',
  languages: 'Use `navigation.languages`.',
  products: 'Use `navigation.products`.',
  groups: 'Use `navigation.groups`.',
  pages: 'Use `navigation.pages`.',
  topbarLinks: 'Use `navbar.links`.',
  topbarCtaButton: 'Use `navbar.primary`.',
  topAnchor: 'Use an entry of `navigation.anchors`.',
  footerSocials: 'Use `footer.socials`.',
  modeToggle: 'Use `appearance`.',
  openapi: 'Use `api.openapi`, or `openapi` on a navigation element.',
  backgroundImage: 'Use `background.image`.',
  analytics:
    'Use `integrations` for a service. Pages load every `.js` file in the repository; no key is needed.',
  font: 'Use `fonts`.',
  codeBlock: 'Use `styling.codeblocks`.',
  eyebrow: 'Use `styling.eyebrows`.',
  layout: 'Use `theme`.',
  baseUrl:
    'Use `api.mdx.server` if it is the server of API pages. Set the URL of the site with `octavo build --url`.',
  language: 'Use `navigation.languages`.',
  css: STYLES_ARE_LOADED,
  customCSS: STYLES_ARE_LOADED,
  stylesheets: STYLES_ARE_LOADED,
  styles: 'Use `styling`. Pages load every `.css` file in the repository; no key is needed.',
  js: SCRIPTS_ARE_LOADED,
  customJS: SCRIPTS_ARE_LOADED,
  primaryTab: 'Name the first entry of `navigation.tabs`.',
  scripts: SCRIPTS_ARE_LOADED,
  isWhiteLabeled: 'Remove it.',
}
