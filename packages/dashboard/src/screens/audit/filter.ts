/** The filters of an audit log, which the page's address contains. */
import type { AuditEntry } from '@octavo/contract'
import { type Choice, selectField, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import type { Query } from '../../visit/api-paths.ts'
import { formValue } from '../../visit/screen.ts'
import { actorName } from './sentences.ts'

const NAMES = ['q', 'actor', 'action', 'from', 'to']

export function readFilter(url: URL): Query {
  return Object.fromEntries(
    NAMES.map((name) => [name, formValue(url.searchParams, name) || undefined]),
  )
}

export const isFiltered = (filter: Query) => Object.values(filter).some((one) => one !== undefined)

/** Prefixes of action names. A test checks that each is the prefix of at least one action. */
export const KINDS: Readonly<Record<string, string>> = {
  'sign-in.': 'Sign-ins',
  'member.': 'Members',
  'key.': 'API keys',
  'access.': 'Site access',
  'project.': 'Project settings',
  'deployment.': 'Deployments',
  'build.': 'Builds',
  'preview.': 'Previews',
  'connection.': 'Git connection',
  'domain.': 'Domains',
  'webhook.': 'Webhook',
  'assistant.': 'Assistant',
  conversation: 'Conversations',
  'gap.': 'Gaps',
  'feedback.': 'Feedback',
  'audit.': 'Downloads of this log',
  'organization.': 'Organization',
}
const ORGANIZATION_ACTIONS = ['sign-in.', 'member.', 'project.', 'audit.', 'organization.']

const OTHERS: readonly Choice[] = [
  { value: 'key', label: 'API keys' },
  { value: 'operator', label: 'The operator' },
  { value: 'service', label: 'The service' },
  { value: 'provider', label: 'Identity provider groups' },
  { value: 'anonymous', label: 'Refused sign-ins' },
]

export type AuditFilterForm = {
  readonly action: string
  readonly filter: Query
  readonly of: 'project' | 'organization'
  /** People to choose from, in addition to those in the entries. */
  readonly people: readonly Choice[]
  readonly entries: readonly AuditEntry[]
}

export function filterForm(options: AuditFilterForm): Html {
  const { action, filter, of } = options
  const value = (name: string) => String(filter[name] ?? '')
  const kinds = Object.entries(KINDS).filter(([kind]) =>
    of === 'project' ? kind !== 'organization.' : ORGANIZATION_ACTIONS.includes(kind),
  )
  return html`
    <form method="get" action="${action}" class="filters" role="search">
      ${[
        textField({
          name: 'q',
          label: 'Text',
          type: 'search',
          value: value('q'),
          placeholder: 'Name, address or request id',
          className: 'grow',
        }),
        selectField({
          name: 'actor',
          label: 'Who',
          value: value('actor'),
          choices: actorChoices(options, value('actor')),
        }),
        selectField({
          name: 'action',
          label: 'What',
          value: value('action'),
          choices: withChosen(
            [
              { value: '', label: 'Everything' },
              ...kinds.map(([kind, label]) => ({ value: kind, label })),
            ],
            value('action'),
          ),
        }),
        textField({ name: 'from', label: 'From', type: 'date', value: value('from') }),
        textField({ name: 'to', label: 'Before', type: 'date', value: value('to') }),
      ]}
      <button class="button">Filter</button>
    </form>
  `
}

function actorChoices({ people, entries }: AuditFilterForm, chosen: string): readonly Choice[] {
  const named = entries
    .filter(({ actor, actorName: name }) => /^(?:user|key) /.test(actor) && name !== undefined)
    .map((entry) => ({ value: entry.actor, label: actorName(entry) }))
  const known = new Map([...people, ...named].map((choice) => [choice.value, choice]))
  const sorted = [...known.values()].toSorted((a, b) => a.label.localeCompare(b.label))
  return withChosen([{ value: '', label: 'Everyone' }, ...sorted, ...OTHERS], chosen)
}

/** Adds the chosen value, which comes from the address, if it is not in the list. */
const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: chosen }]
