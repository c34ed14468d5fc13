/** The settings that the docs.json of the live site determines, with the line of each. */
import { ConnectionReply, type DocsSettingsReply } from '@octavo/contract'
import { card, emptyState } from '../../parts/card.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { webAddress, webLink } from '../../parts/link.ts'
import { type ValueRow, valueRows } from '../../parts/settings-row.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

export type DocsSetting = DocsSettingsReply['settings'][number]

type Known = {
  readonly label: string
  /** The text that is shown if docs.json does not contain the setting. */
  readonly without: string
  readonly print?: (value: string) => HtmlPart
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

const SETTINGS: Readonly<Record<string, Known>> = {
  name: { label: 'Site name', without: 'Documentation' },
  'colors.primary': { label: 'Color', without: '#0F766E', print: colorTag },
  navigation: { label: 'Navigation', without: 'No pages' },
  'navigation.languages': { label: 'Languages', without: 'One language', print: languageNames },
  redirects: { label: 'Redirects', without: 'None' },
  'assistant.enabled': { label: 'Assistant', without: 'On', print: flagText },
  'assistant.starterQuestions': { label: 'Suggested questions', without: 'None' },
  'api.playground.proxy': {
    label: 'Playground requests through the host',
    without: 'On if the project allows it',
    print: flagText,
  },
  'seo.indexing': {
    label: 'Pages that search engines may index',
    without: 'Pages in the navigation',
    print: (value) => (value === 'all' ? 'All pages' : 'Pages in the navigation'),
  },
}

/** Reads the connected repository. The line numbers of settings link to its files. */
export function readRepository({
  visit,
  project,
}: ProjectScreen): Promise<ConnectionReply | undefined> {
  return findApi(visit.api, ConnectionReply, apiPaths.project(project.id, '/connection'))
}

export function docsSettingsCard(
  docs: DocsSettingsReply,
  repository: ConnectionReply | undefined,
): Html {
  const { deployment, commit, branch, settings } = docs
  if (settings.length === 0)
    return card({
      id: 'docs-json',
      title: 'From docs.json',
      body: emptyState(
        deployment === null ? 'Nothing is live yet' : 'Unknown for the live deployment',
        deployment === null
          ? 'After the first deployment, the settings from docs.json appear here, with their line numbers.'
          : 'The live deployment was built by an earlier version. After the next deployment, the settings from docs.json appear here, with their line numbers.',
      ),
    })
  const from =
    commit !== undefined &&
    html`Read from <code>${commit.slice(0, 7)}</code>${branch !== undefined && ` on ${branch}`}`
  const rows = Object.entries(SETTINGS).map(([key, known]): ValueRow => {
    const setting = settings.find((one) => one.key === key)
    if (setting === undefined)
      return {
        name: known.label,
        value: html`<span class="muted">${known.without}</span>`,
        source: 'default',
      }
    return {
      name: known.label,
      value: known.print?.(setting.value) ?? setting.value,
      source: sourceLink(setting, { commit, repository }),
    }
  })
  return card({
    id: 'docs-json',
    title: 'From docs.json',
    aside: from || undefined,
    isFlush: true,
    body: valueRows(rows),
  })
}

type Source = {
  readonly commit: string | undefined
  readonly repository: ConnectionReply | undefined
}

/** Renders `docs.json:12`, as a link if the Git host shows files at a known address. */
function sourceLink({ file, line }: DocsSetting, { commit, repository }: Source): Html {
  const label = `${file}:${line}`
  const folder = repository?.folder ?? ''
  const path = [...folder.split('/'), ...file.split('/')]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')
  const base = commit === undefined ? undefined : filesAt(repository, commit)
  return webLink(base && `${base}/${path}#L${line}`, label, { className: 'source' })
}

/** Returns the address of a commit's files on the Git host. */
function filesAt(repository: ConnectionReply | undefined, commit: string): string | undefined {
  const url = webAddress(repository?.url)?.replace(/(?:\.git)?\/?$/, '')
  if (repository === undefined || url === undefined) return undefined
  switch (repository.provider) {
    case 'github':
      return `${url}/blob/${commit}`
    case 'gitlab':
      return `${url}/-/blob/${commit}`
    case 'gitea':
      return `${url}/src/commit/${commit}`
    case 'git':
      return undefined
  }
}

/** Renders a color. It is untrusted text, so only a hexadecimal color becomes an attribute. */
function colorTag(value: string): HtmlPart {
  const isHex = /^#[\da-f]{3,8}$/i.test(value)
  return html`
    <span class="person">
      ${
        isHex &&
        html`
          <svg class="color-sample" viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill="${value}"/>
          </svg>
        `
      }
      <code>${value}</code>
    </span>
  `
}

function languageNames(codes: string): string {
  return codes
    .split(', ')
    .map((code) => (/^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(code) ? LANGUAGE_NAMES.of(code) : code))
    .join(', ')
}

function flagText(value: string): string {
  return value === 'on' ? 'On' : 'Off'
}
