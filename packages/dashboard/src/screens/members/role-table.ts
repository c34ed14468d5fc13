/** Renders the permissions of each role, from the same table that the service checks. */
import { ROLE_SCOPES, ROLES } from '@octavo/contract'
import { card } from '../../parts/card.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { ROLE_NAMES, SCOPE_GROUPS, SCOPE_WORDS } from './role-words.ts'

export function roleTable(): Html {
  const head = ROLES.map((role) => html`<th scope="col">${ROLE_NAMES[role]}</th>`)
  const rows = SCOPE_GROUPS.map(({ title, scopes }) => [
    html`<tr class="rows-head"><th scope="colgroup" colspan="${ROLES.length + 1}">${title}</th></tr>`,
    scopes.map(
      (scope) =>
        html`<tr><th scope="row">${SCOPE_WORDS[scope].name}</th>${ROLES.map((role) =>
          ROLE_SCOPES[role].includes(scope)
            ? html`<td>${icon('check')}<span class="sr-only">Yes</span></td>`
            : html`<td class="no">–<span class="sr-only">No</span></td>`,
        )}</tr>`,
    ),
  ])
  return card({
    title: 'What each role can do',
    aside: 'Only owners of the organization can transfer or delete a project.',
    isFlush: true,
    body: html`
      <div class="scroll" tabindex="0" role="region" aria-label="What each role can do">
        <table class="matrix">
          <caption class="sr-only">Roles and permissions</caption>
          <thead><tr><th scope="col">Permission</th>${head}</tr></thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    `,
  })
}
