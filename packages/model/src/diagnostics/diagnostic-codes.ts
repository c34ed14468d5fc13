import { SPECIFICATION_CODES } from './specification-codes.ts'

export type Severity = 'error' | 'warning' | 'note'

/** The severities that an author can set for a code in `check.severity`. */
export const CODE_SEVERITIES = ['error', 'warning', 'note', 'off'] as const
export type CodeSeverity = (typeof CODE_SEVERITIES)[number]

/**
 * Every diagnostic code. The same mistake has the same severity everywhere.
 *
 * error    the site breaks a rule, or something the author wrote cannot be shown as intended
 * warning  the site builds, but probably not as the author expects
 * note     worth knowing; never fails a check
 * Each code has a page in docs/errors/ and a fixture; scripts/tidy.ts checks that.
 */
export const DIAGNOSTIC_CODES = {
  'file/too-large': {
    severity: 'error',
    about: 'A file is larger than the limit and is not read.',
  },
  'file/too-many': { severity: 'error', about: 'The folder has more files than the limit allows.' },
  'file/active-svg': {
    severity: 'warning',
    about: 'An SVG contains something that could run code or load other files.',
  },
  'file/skill': { severity: 'warning', about: 'A skill for agents cannot be published.' },
  'file/questions': {
    severity: 'warning',
    about: 'A line of `octavo-questions.jsonl` cannot be used.',
  },
  'file/unused-snippet': { severity: 'note', about: 'No page uses a snippet.' },
  'file/ignore-rule': { severity: 'warning', about: 'A rule in an ignore file cannot be used.' },

  'json/syntax': { severity: 'error', about: 'The file is not valid JSON.' },
  'json/trailing-comma': {
    severity: 'warning',
    about: 'There is a comma before a closing bracket.',
  },
  'json/comment': { severity: 'warning', about: 'JSON does not allow comments.' },
  'json/byte-order-mark': { severity: 'warning', about: 'The file starts with a byte order mark.' },
  'json/duplicate-key': { severity: 'error', about: 'An object has the same key twice.' },
  'json/too-large': { severity: 'error', about: 'The file is larger than the limit.' },
  'json/too-deep': { severity: 'error', about: 'Values are nested deeper than the limit.' },

  'part/not-found': { severity: 'error', about: 'A `$ref` points to a missing file.' },
  'part/cycle': { severity: 'error', about: 'A `$ref` includes a file that includes it.' },
  'part/outside-root': {
    severity: 'error',
    about: 'A `$ref` points outside the documentation folder.',
  },
  'part/invalid': { severity: 'error', about: 'A `$ref` is not the path of a JSON file.' },
  'part/ignored-keys': {
    severity: 'warning',
    about: 'Keys next to a `$ref` cannot be merged into a list or a single value.',
  },
  'part/too-many': { severity: 'error', about: 'docs.json is split into too many files.' },

  'config/not-found': { severity: 'error', about: 'The folder has no docs.json.' },
  'config/mint-json': { severity: 'warning', about: 'The site uses a legacy mint.json.' },
  'config/not-converted': {
    severity: 'warning',
    about: 'A mint.json setting has no equivalent in docs.json.',
  },
  'config/two-files': { severity: 'warning', about: 'Both docs.json and mint.json exist.' },

  'key/unknown': { severity: 'warning', about: 'Unknown key.' },
  'key/legacy': { severity: 'warning', about: 'Outdated key that another key has replaced.' },
  'value/missing': { severity: 'error', about: 'A required key is missing.' },
  'value/wrong-type': { severity: 'error', about: 'A value has the wrong JSON type.' },
  'value/empty': { severity: 'warning', about: 'A string is empty.' },
  'value/quoted': { severity: 'warning', about: 'A number or boolean is in quotes.' },
  'value/invalid': { severity: 'error', about: 'A value is not allowed here.' },
  'value/duplicate': { severity: 'error', about: 'A list has a duplicate value.' },
  'value/contrast': {
    severity: 'note',
    about: 'A color has too little contrast, so another one is used.',
  },
  'value/unsupported': {
    severity: 'warning',
    about: 'A setting that Octavo does not support yet.',
  },
  'value/set-by-host': { severity: 'note', about: 'The host decides who may read pages.' },
  'value/not-protected': {
    severity: 'error',
    about: 'docs.json asks for sign-in, but everyone can read the project.',
  },
  'value/no-effect': { severity: 'warning', about: 'A key is valid but has no effect yet.' },

  'nav/no-pattern': { severity: 'error', about: 'The navigation has no pages.' },
  'nav/mixed-children': { severity: 'error', about: 'One level has two kinds of children.' },
  'nav/link-with-children': {
    severity: 'error',
    about: 'An element has both `href` and children.',
  },
  'nav/missing-name': { severity: 'error', about: 'A navigation element has no name.' },
  'nav/missing-children': { severity: 'error', about: 'A group has no `pages`.' },
  'nav/empty': { severity: 'warning', about: 'A navigation element has no pages and no link.' },
  'nav/nested-in-itself': {
    severity: 'error',
    about: 'An element directly contains its own kind.',
  },
  'nav/group-children': {
    severity: 'error',
    about: 'A group contains something other than `pages`.',
  },
  'nav/menu-item-children': {
    severity: 'error',
    about: 'A menu item contains something other than groups, pages or a link.',
  },
  'nav/menu-outside-tab': { severity: 'error', about: 'A `menu` is outside a tab.' },
  'nav/unknown-language': { severity: 'error', about: 'Unsupported language code.' },
  'nav/two-defaults': { severity: 'error', about: 'Two siblings are both marked as the default.' },
  'nav/duplicate-name': { severity: 'error', about: 'Two siblings have the same name.' },
  'nav/too-deep': { severity: 'error', about: 'The navigation is nested deeper than the limit.' },
  'nav/global-link': { severity: 'error', about: 'A global entry has no `href`.' },
  'nav/directory-without-root': {
    severity: 'warning',
    about: 'A directory listing is set, but no group has a root page.',
  },
  'nav/expanded-top-level': {
    severity: 'note',
    about: '`expanded: false` on a top-level group has no effect.',
  },
  'nav/page-path': { severity: 'error', about: 'An entry of `pages` is not a page path.' },
  'nav/page-extension': { severity: 'note', about: 'A page path has a file extension.' },
  'nav/page-outside-root': {
    severity: 'error',
    about: 'A page path points outside the documentation folder.',
  },
  'nav/missing-page': { severity: 'error', about: 'A listed page has no file.' },
  'nav/repeated-page': {
    severity: 'warning',
    about: 'A page is listed twice in one list of pages.',
  },
  'nav/shared-page': { severity: 'note', about: 'Two sections list the same pages.' },
  'nav/same-title': {
    severity: 'note',
    about: 'Two neighboring pages in the sidebar have the same title.',
  },
  'nav/duplicate-title': {
    severity: 'note',
    about: 'Two pages of the same language and version have the same title.',
  },
  'nav/orphan-page': {
    severity: 'note',
    about: 'A page is not in the navigation, and no listed page links to it.',
  },

  ...SPECIFICATION_CODES,

  'link/unsafe': { severity: 'error', about: 'A link has a URL scheme that could run code.' },
  'link/broken': {
    severity: 'error',
    about: 'A link points to a page or file that does not exist.',
  },
  'link/anchor': {
    severity: 'warning',
    about: 'A link has an anchor that does not exist on its page.',
  },
  'link/anchor-spelling': {
    severity: 'note',
    about: 'A link spells an anchor differently, so it works only with JavaScript.',
  },
  'link/missing-file': { severity: 'error', about: 'An image or another file does not exist.' },
  'link/redirected': { severity: 'note', about: 'A link points to a redirected URL.' },
  'link/external': { severity: 'warning', about: 'A link to another site is broken.' },
  'link/outside-root': {
    severity: 'error',
    about: 'A link points outside the documentation folder.',
  },

  'font/missing': { severity: 'warning', about: 'A font in docs.json could not be found.' },
  'font/unrecorded': {
    severity: 'note',
    about: 'The version of a font package is not recorded, so a later build may use another.',
  },
  'policy/blocked': {
    severity: 'warning',
    about: 'The content security policy blocks something that one of your files does.',
  },

  'route/collision': { severity: 'error', about: 'Two pages would have the same URL.' },
  'route/case-collision': {
    severity: 'warning',
    about: 'Two URLs differ only in capitalization.',
  },
  'route/renamed': {
    severity: 'warning',
    about: 'A suffix was added to the URL of a generated page because the URL was already taken.',
  },

  'redirect/loop': { severity: 'error', about: 'A redirect leads back to itself.' },
  'redirect/chain': { severity: 'warning', about: 'A redirect points to another redirect.' },
  'redirect/shadowed': { severity: 'warning', about: 'A redirect is never used.' },
  'redirect/fragment': {
    severity: 'warning',
    about: 'A redirect source has a part that browsers do not send.',
  },
  'redirect/wildcard': { severity: 'error', about: 'The wildcards of a redirect do not match.' },
  'redirect/reserved': { severity: 'error', about: 'A redirect starts below "/_octavo/".' },
  'redirect/broken': {
    severity: 'warning',
    about: 'A redirect points to a page that does not exist.',
  },
  'redirect/relative-path': {
    severity: 'note',
    about: 'A path of a redirect does not start with a slash.',
  },

  'frontmatter/syntax': { severity: 'error', about: 'The frontmatter is not valid YAML.' },
  'frontmatter/indentation': { severity: 'note', about: 'A multi-line value is not indented.' },
  'frontmatter/unclosed': { severity: 'error', about: 'The frontmatter has no closing `---`.' },
  'frontmatter/too-large': {
    severity: 'error',
    about: 'The frontmatter is larger than the limit.',
  },

  'content/syntax': { severity: 'error', about: 'Invalid MDX syntax.' },
  'content/unescaped-character': {
    severity: 'warning',
    about: 'A `<` or `{` starts neither a tag nor an expression, so it is shown as text.',
  },
  'content/foreign-syntax': { severity: 'error', about: 'Syntax of another documentation tool.' },
  'content/expression': { severity: 'error', about: 'An expression cannot be evaluated.' },
  'content/placeholder': {
    severity: 'warning',
    about: 'A name in braces is not defined on the page.',
  },
  'content/placeholder-in-link': {
    severity: 'note',
    about: 'A name in braces in the text of a link is not defined on the page.',
  },
  'content/undefined-name': { severity: 'error', about: 'An expression uses an unknown name.' },
  'content/unknown-component': { severity: 'error', about: 'Unknown component.' },
  'content/import': { severity: 'error', about: 'An import cannot be resolved.' },
  'content/needs-browser': {
    severity: 'error',
    about: 'Code on a page needs a browser but cannot run in one.',
  },
  'content/tag': { severity: 'error', about: 'HTML tag that is not allowed on a page.' },
  'content/attribute': {
    severity: 'warning',
    about: 'HTML attribute that is not allowed on a page.',
  },
  'content/style': {
    severity: 'warning',
    about: 'CSS in a `style` attribute that is not allowed on a page.',
  },
  'content/unknown-prop': {
    severity: 'warning',
    about: 'A prop of a component is misspelled and has no effect.',
  },
  'content/duplicate-id': { severity: 'warning', about: 'An id is used twice on one page.' },
  'content/alt-text': { severity: 'note', about: 'An image has no alt text.' },
  'content/heading-order': { severity: 'note', about: 'A heading skips a level.' },
  'content/long-markdown': {
    severity: 'note',
    about: 'The Markdown of a page is longer than what agents read from one file.',
  },
  'content/limit': { severity: 'error', about: 'A page exceeds a limit.' },

  'icon/unknown': { severity: 'warning', about: 'Unknown icon.' },

  'check/suppression': {
    severity: 'warning',
    about: 'A suppression has no reason or no valid code, or suppresses nothing.',
  },
  'check/baseline': {
    severity: 'warning',
    about: 'The baseline of known findings cannot be read.',
  },

  'limit/access-labels': {
    severity: 'error',
    about: 'The pages of a site have more different sets of `groups` than the limit allows.',
  },
  'limit/diagnostics': {
    severity: 'error',
    about: 'There are more problems than a report can list.',
  },
} as const satisfies Record<string, { severity: Severity; about: string }>

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES
