/** Finds icons of Octavo for those of Material for MkDocs. */

export type FindIcon = (name: string, library: string) => boolean

export type Icon = { readonly name: string; readonly library: string; readonly style?: string }

/** Icons whose names are different. */
const NAMES: ReadonlyMap<string, string> = new Map(
  `check-all check-check|close x|checkbox-blank-circle circle|dots-horizontal ellipsis|dots-vertical ellipsis-vertical
  |api webhook|file-code file-code|scale-balance scale|format-font type|file-tree folder-tree|clock-fast timer
  |codescan scan-search|heart-fill heart|repo-template book-copy|goal goal|newspaper-variant newspaper
  |information info|connection cable|three-bars menu|tag-text tag|shield-account shield-user|share-circle share-2
  |run-fast zap|flag-plus flag|trash-can trash-2|microsoft-windows grid-2x2|magnify search|emoticon-sad frown
  |emoticon-happy smile|circle-small dot|arrow-top-right arrow-up-right|arrow-top-left arrow-up-left
  |arrow-bottom-right arrow-down-right|arrow-bottom-left arrow-down-left|alert-decagram badge-alert|light-bulb lightbulb
  |comment-discussion messages-square|cloud-offline cloud-off|weather-sunny sun|weather-night moon|translate languages
  |toggle-switch toggle-right|toggle-switch-off toggle-left|source-pull git-pull-request|share-variant share-2
  |record-circle circle-dot|pound hash|plus-circle circle-plus|incognito eye-off|smiley smile|repo book-marked
  |versions layers|alert triangle-alert|code-json braces|table-edit table|tooltip-plus message-square-plus
  |lock-open lock-open|image-sync image|image-frame image|graph workflow|format-title heading|format-list-group list-tree
  |format-list-bulleted list|format-align-bottom align-vertical-justify-end|comment-off message-square-off
  |button-cursor mouse-pointer-click|alphabet-greek sigma|view-grid-plus layout-grid|rocket-launch rocket|cog settings
  |account user|account-group users|help-circle circle-question-mark|school graduation-cap|book-open-variant book-open
  |github github|language-python python|email mail|web globe|gavel gavel|speedometer gauge|check-circle circle-check
  |close-circle circle-x|lightbulb-on lightbulb|text-box file-text|chart-line chart-line|puzzle puzzle|stop circle-stop
  |paper-airplane send|mark-github github|download download|desktop-classic monitor|console terminal|bookmark bookmark`
    .split('|')
    .map((pair) => {
      const [from = '', to = ''] = pair.trim().split(' ')
      return [from, to] as const
    }),
)

/** Finds an icon by its set, such as `material`, and its name in that set. */
function findIcon(set: string, name: string, has: FindIcon): Icon | undefined {
  if (set === 'fontawesome') {
    const [, style, rest] = /^(brands|solid|regular)[-/](.+)$/.exec(name) ?? []
    return rest !== undefined && has(rest, 'fontawesome')
      ? { name: rest, library: 'fontawesome', ...(style && { style }) }
      : undefined
  }
  const plain = name.replace(/-(?:16|24|32)$/, '').replace(/-(?:outline|variant|fill)+$/, '')
  const names = [NAMES.get(plain), NAMES.get(name), plain, name].filter((one) => one !== undefined)
  const libraries = set === 'simple' ? ['fontawesome'] : ['lucide', 'tabler', 'fontawesome']
  for (const library of libraries) {
    const found = names.find((one) => has(one, library))
    if (found !== undefined) return { name: found, library }
  }
  return undefined
}

/** Finds the icon for `material/check` or `material-check`. */
export function findNamedIcon(written: string, has: FindIcon): Icon | undefined {
  const [, set = '', name = ''] = /^:?([a-z]+)[/-]([\w/-]+?):?$/.exec(written.trim()) ?? []
  return findIcon(set, name, has)
}

export function iconTag({ name, library, style }: Icon): string {
  if (library === 'fontawesome')
    return `<Icon icon="${name}"${style === undefined ? '' : ` iconType="${style}"`} />`
  return `<Icon icon="${name}" iconLibrary="${library}" />`
}

/** Returns the value of an `icon` field in frontmatter or docs.json. */
export function iconField({ name, library, style }: Icon): unknown {
  if (library === 'fontawesome' && style === undefined) return name
  return style === undefined ? { name, library } : { name, library, style }
}
