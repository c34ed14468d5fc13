export type Severity = 'error' | 'warning' | 'note'

/**
 * Every diagnostic code, its severity and one sentence. The severity belongs to the code,
 * so the same mistake is never an error here and a warning there.
 *
 * error    the site as written breaks a rule, or something the author wrote cannot be shown as meant
 * warning  the site builds, but not as the author probably thinks
 * note     worth knowing; never fails a check
 *
 * Each code has a page in docs/errors/ and a fixture; scripts/tidy.ts holds that.
 */
export const DIAGNOSTIC_CODES = {
  'file/too-large': {
    severity: 'error',
    about: 'A file is larger than the limit and is not read.',
  },
  'file/too-many': { severity: 'error', about: 'The folder has more files than the limit.' },
  'file/active-svg': {
    severity: 'warning',
    about: 'A picture holds something that could run code or load from elsewhere.',
  },
  'file/unused-snippet': { severity: 'note', about: 'No page uses a snippet.' },
  'file/ignore-rule': { severity: 'warning', about: 'A rule of an ignore file cannot be used.' },

  'json/syntax': { severity: 'error', about: 'The text is not valid JSON.' },
  'json/trailing-comma': { severity: 'warning', about: 'A comma stands before a closing bracket.' },
  'json/comment': { severity: 'warning', about: 'JSON has no comments.' },
  'json/byte-order-mark': { severity: 'warning', about: 'The file begins with a byte order mark.' },
  'json/duplicate-key': { severity: 'error', about: 'One object has the same key twice.' },
  'json/too-large': { severity: 'error', about: 'The file is larger than the limit.' },
  'json/too-deep': { severity: 'error', about: 'Values are nested deeper than the limit.' },

  'part/not-found': { severity: 'error', about: 'A `$ref` names a file that is not there.' },
  'part/cycle': { severity: 'error', about: 'A `$ref` leads back to a file it came from.' },
  'part/outside-root': { severity: 'error', about: 'A `$ref` leaves the documentation folder.' },
  'part/invalid': { severity: 'error', about: 'A `$ref` is not the path of a JSON file.' },
  'part/ignored-keys': {
    severity: 'warning',
    about: 'Keys beside a `$ref` cannot be merged into a list or a single value.',
  },
  'part/too-many': { severity: 'error', about: 'docs.json is split into too many files.' },

  'config/not-found': { severity: 'error', about: 'The folder has no docs.json.' },
  'config/mint-json': {
    severity: 'warning',
    about: 'The site is configured by a legacy mint.json.',
  },
  'config/not-converted': {
    severity: 'warning',
    about: 'A setting of mint.json has no counterpart in docs.json.',
  },
  'config/two-files': { severity: 'warning', about: 'Both docs.json and mint.json are present.' },

  'key/unknown': { severity: 'warning', about: 'A key that Octavo does not know.' },
  'key/legacy': { severity: 'warning', about: 'A key that another one has replaced.' },
  'value/missing': { severity: 'error', about: 'A required key is missing.' },
  'value/wrong-type': { severity: 'error', about: 'A value has the wrong JSON type.' },
  'value/empty': { severity: 'warning', about: 'A text is empty.' },
  'value/quoted': { severity: 'warning', about: 'A number or a truth value stands in quotes.' },
  'value/invalid': { severity: 'error', about: 'A value is not among the allowed ones.' },
  'value/duplicate': { severity: 'error', about: 'A value stands twice in a list of unique ones.' },
  'value/contrast': {
    severity: 'note',
    about: 'A color cannot be read on its ground, so another one is used.',
  },
  'value/unsupported': {
    severity: 'warning',
    about: 'A value of the model that Octavo reads but does not act on yet.',
  },
  'value/no-effect': {
    severity: 'note',
    about: 'A key is read and checked, and changes nothing yet.',
  },

  'nav/no-pattern': { severity: 'error', about: 'The navigation has no pages at all.' },
  'nav/mixed-children': { severity: 'error', about: 'One level holds two kinds of children.' },
  'nav/link-with-children': {
    severity: 'error',
    about: 'An element has both `href` and children.',
  },
  'nav/missing-name': { severity: 'error', about: 'A navigation element has no name.' },
  'nav/missing-children': { severity: 'error', about: 'A group has no `pages`.' },
  'nav/empty': { severity: 'warning', about: 'A navigation element leads nowhere.' },
  'nav/nested-in-itself': { severity: 'error', about: 'An element holds its own kind directly.' },
  'nav/group-children': { severity: 'error', about: 'A group holds something other than `pages`.' },
  'nav/menu-item-children': {
    severity: 'error',
    about: 'A menu item holds something other than groups, pages or a link.',
  },
  'nav/menu-outside-tab': { severity: 'error', about: 'A `menu` stands outside a tab.' },
  'nav/unknown-language': { severity: 'error', about: 'A language code that is not supported.' },
  'nav/two-defaults': { severity: 'error', about: 'Two siblings are both marked as the default.' },
  'nav/duplicate-name': { severity: 'error', about: 'Two siblings have the same name.' },
  'nav/too-deep': { severity: 'error', about: 'The navigation is nested deeper than the limit.' },
  'nav/global-link': { severity: 'error', about: 'A global entry has no `href`.' },
  'nav/directory-without-root': {
    severity: 'warning',
    about: 'A directory listing is asked for where no group has a root page.',
  },
  'nav/expanded-top-level': {
    severity: 'note',
    about: '`expanded: false` on a top-level group has no effect.',
  },
  'nav/page-path': { severity: 'error', about: 'An entry of `pages` is not a page path.' },
  'nav/page-extension': { severity: 'note', about: 'A page path is written with its extension.' },
  'nav/page-outside-root': {
    severity: 'error',
    about: 'A page path leaves the documentation folder.',
  },
  'nav/missing-page': { severity: 'error', about: 'A listed page has no file.' },
  'nav/repeated-page': { severity: 'warning', about: 'A page stands twice in one list of pages.' },
  'nav/shared-page': { severity: 'note', about: 'Two sections list the same pages.' },
  'nav/same-title': {
    severity: 'note',
    about: 'Two pages beside each other in the sidebar have the same title.',
  },
  'nav/orphan-page': {
    severity: 'note',
    about: 'A page is in no navigation, and no listed page leads to it.',
  },

  'openapi/no-specification': {
    severity: 'error',
    about: 'An operation is listed where no specification is in scope.',
  },
  'openapi/missing-specification': {
    severity: 'error',
    about: 'A specification file is not in the repository.',
  },
  'openapi/unknown-operation': {
    severity: 'error',
    about: 'A listed operation is not in its specification.',
  },
  'openapi/ambiguous-operation': {
    severity: 'warning',
    about: 'A listed operation is in several of the specifications in scope.',
  },
  'openapi/hidden-operation': {
    severity: 'note',
    about: 'An operation is left out because its specification hides it.',
  },

  'openapi/unreachable': {
    severity: 'error',
    about: 'A hosted specification could not be fetched, and there is no copy of it.',
  },
  'openapi/stale': {
    severity: 'warning',
    about: 'A hosted specification could not be fetched; the last good copy is used.',
  },
  'openapi/refused': {
    severity: 'error',
    about: 'A hosted specification has an address that is not fetched from.',
  },

  'openapi/unreadable': {
    severity: 'error',
    about: 'A specification is neither valid JSON nor valid YAML.',
  },
  'openapi/too-large': {
    severity: 'error',
    about: 'A specification goes beyond a limit and is not used.',
  },
  'openapi/forbidden-key': {
    severity: 'error',
    about: 'A specification has a key that harms JavaScript programs.',
  },
  'openapi/yaml-feature': {
    severity: 'warning',
    about: 'A specification uses a feature of YAML that is not read.',
  },
  'openapi/yaml-indentation': {
    severity: 'note',
    about: 'A bracket in YAML closes in the column of its key, which other tools refuse.',
  },
  'openapi/version': {
    severity: 'error',
    about: 'A specification is of a version that is not read.',
  },
  'openapi/newer-version': {
    severity: 'note',
    about: 'A specification is newer than what is read in full.',
  },
  'openapi/wrong-value': {
    severity: 'error',
    about: 'A value of a specification has a type or a name that is not allowed.',
  },
  'openapi/missing-quotes': {
    severity: 'warning',
    about: 'A number or a truth value stands where a text belongs.',
  },
  'openapi/missing-field': {
    severity: 'warning',
    about: 'A part of a specification lacks something it needs.',
  },
  'openapi/unknown-field': {
    severity: 'warning',
    about: 'A part of a specification has a field that OpenAPI does not know.',
  },
  'openapi/repeated-entry': {
    severity: 'warning',
    about: 'A list of a specification holds the same entry twice.',
  },
  'openapi/external-reference': {
    severity: 'error',
    about: 'A `$ref` leads out of the specification.',
  },
  'openapi/broken-reference': { severity: 'error', about: 'A `$ref` leads nowhere.' },
  'openapi/wrong-reference': {
    severity: 'error',
    about: 'A `$ref` leads to a part of the wrong kind.',
  },
  'openapi/reference-loop': {
    severity: 'error',
    about: 'A `$ref` leads back to itself, or is one of too many in a row.',
  },
  'openapi/broken-link': {
    severity: 'warning',
    about: 'A link, a discriminator or `externalDocs` leads to something that is not there.',
  },
  'openapi/ignored-siblings': { severity: 'warning', about: 'Keys beside a `$ref` are ignored.' },
  'openapi/no-operations': {
    severity: 'warning',
    about: 'A specification has nothing to make pages of.',
  },
  'openapi/same-path': {
    severity: 'warning',
    about: 'Two paths of a specification are one to a client.',
  },
  'openapi/path-parameter': {
    severity: 'warning',
    about: 'A path and the description of its parameters differ.',
  },
  'openapi/duplicate-operation-id': {
    severity: 'warning',
    about: 'Two operations have the same operationId.',
  },
  'openapi/unknown-tag': {
    severity: 'note',
    about: 'An operation has a tag that the specification does not declare.',
  },
  'openapi/unknown-security': {
    severity: 'error',
    about: 'A security scheme is used and not defined.',
  },
  'openapi/server-url': {
    severity: 'error',
    about: 'A server has an address that no request can be sent to.',
  },
  'openapi/extension': {
    severity: 'warning',
    about: 'A vendor extension has a value that cannot be used.',
  },
  'openapi/loose-reference': {
    severity: 'note',
    about: 'An operation or a schema is named in a way that is understood, but not exact.',
  },
  'openapi/unknown-schema': {
    severity: 'error',
    about: 'A page names a schema that no specification has.',
  },

  'link/unsafe': { severity: 'error', about: 'A link has a scheme that could run code.' },
  'link/broken': { severity: 'error', about: 'A link leads to no page and no file of the site.' },
  'link/anchor': {
    severity: 'warning',
    about: 'A link leads to a part that its page does not have.',
  },
  'link/anchor-spelling': {
    severity: 'note',
    about: 'A link spells the id of a part differently, and a script leads readers there.',
  },
  'link/missing-file': { severity: 'error', about: 'An image or another file is not there.' },
  'link/redirected': { severity: 'note', about: 'A link leads through a redirect.' },
  'link/external': { severity: 'warning', about: 'A page of another site is not there any more.' },
  'link/outside-root': { severity: 'error', about: 'A link leaves the documentation folder.' },

  'route/collision': { severity: 'error', about: 'Two pages would have the same address.' },
  'route/case-collision': {
    severity: 'warning',
    about: 'Two addresses differ only in upper and lower case.',
  },
  'route/renamed': {
    severity: 'warning',
    about: 'A generated page got a suffix because its address was taken.',
  },

  'redirect/loop': { severity: 'error', about: 'A redirect leads back to itself.' },
  'redirect/chain': { severity: 'warning', about: 'A redirect points at another redirect.' },
  'redirect/shadowed': { severity: 'warning', about: 'A redirect can never be reached.' },
  'redirect/fragment': {
    severity: 'warning',
    about: 'A redirect source has a part that browsers do not send.',
  },
  'redirect/wildcard': { severity: 'error', about: 'The wildcards of a redirect do not fit.' },
  'redirect/broken': { severity: 'warning', about: 'A redirect leads to no page.' },
  'redirect/relative-path': {
    severity: 'note',
    about: 'A path of a redirect does not begin with a slash.',
  },

  'frontmatter/syntax': { severity: 'error', about: 'The frontmatter is not valid YAML.' },
  'frontmatter/indentation': {
    severity: 'note',
    about: 'A text over several lines is not indented.',
  },
  'frontmatter/unclosed': { severity: 'error', about: 'The frontmatter has no closing `---`.' },
  'frontmatter/too-large': {
    severity: 'error',
    about: 'The frontmatter is larger than the limit.',
  },

  'content/syntax': { severity: 'error', about: 'A place on a page is not valid MDX.' },
  'content/unescaped-character': {
    severity: 'warning',
    about: 'A `<` or `{` begins neither a tag nor an expression, so it is shown as text.',
  },
  'content/expression': { severity: 'error', about: 'An expression cannot be evaluated.' },
  'content/placeholder': {
    severity: 'warning',
    about: 'A name in braces that nothing on the page defines.',
  },
  'content/undefined-name': { severity: 'error', about: 'An expression uses an unknown name.' },
  'content/unknown-component': { severity: 'error', about: 'A component that does not exist.' },
  'content/import': { severity: 'error', about: 'An import cannot be followed.' },
  'content/needs-browser': {
    severity: 'warning',
    about: 'Something on a page itself would have to run in a browser.',
  },
  'content/tag': { severity: 'error', about: 'An HTML tag that is not allowed on a page.' },
  'content/attribute': {
    severity: 'warning',
    about: 'An HTML attribute that is not allowed on a page.',
  },
  'content/style': { severity: 'warning', about: 'A part of a `style` that is not allowed.' },
  'content/unknown-prop': {
    severity: 'warning',
    about: 'A prop of a component is misspelt and does nothing.',
  },
  'content/duplicate-id': { severity: 'warning', about: 'An id stands twice on one page.' },
  'content/alt-text': { severity: 'note', about: 'An image has no alternative text.' },
  'content/heading-order': { severity: 'note', about: 'A heading skips a level.' },
  'content/limit': { severity: 'error', about: 'A page is over a limit.' },

  'icon/unknown': { severity: 'warning', about: 'An icon that no library has.' },

  'check/suppression': {
    severity: 'warning',
    about: 'A suppression has no reason, names no code, or hides nothing.',
  },

  'limit/access-labels': {
    severity: 'error',
    about: 'The pages of a site have more different sets of `groups` than the limit.',
  },
  'limit/diagnostics': { severity: 'error', about: 'There are more problems than a report lists.' },
} as const satisfies Record<string, { severity: Severity; about: string }>

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES
