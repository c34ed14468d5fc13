/** The frame of signed-in pages: header, side navigation, main part. */

import type { ProjectScreen, Screen } from '../visit/screen.ts'
import { avatar } from './card.ts'
import { htmlResponse, logo, renderDocument } from './document.ts'
import { hiddenFields } from './form.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { contrastIcon, icon } from './icon.ts'
import { hostOf, webAddress } from './link.ts'
import { notice } from './notice.ts'
import { countText } from './number.ts'
import { SECTION_GROUPS, type SectionId, sectionOf } from './sections.ts'

export type Page = {
  readonly title: string
  readonly body: HtmlPart
  readonly status?: number
  readonly refreshSeconds?: number | undefined
}

export function projectPage(
  screen: ProjectScreen,
  { section, title, body, status, refreshSeconds }: Page & { readonly section: SectionId },
): Response {
  const { project, visit, theme } = screen
  const text = renderDocument({
    title: `${title} · ${project.name}`,
    assets: visit.assets,
    theme,
    refreshSeconds,
    body: html`
      ${skipLink()}
      <header class="top">
        <div class="top-row">
          ${homeLink()}
          ${projectCrumbs(screen)}
          <div class="top-end">${siteLink(screen)}${personMenu(screen)}</div>
        </div>
        ${sectionsButton(section)}
      </header>
      <div class="frame">
        ${sideNavigation(screen, section)}
        <main id="main" tabindex="-1">${archivedNotice(screen)}${body}</main>
      </div>
    `,
  })
  return htmlResponse(text, status)
}

/** Renders a notice for every screen of an archived project, since its forms do not work. */
function archivedNotice({ project, may, path }: ProjectScreen): HtmlPart {
  return (
    project.archived &&
    notice({
      tone: 'held',
      title: 'This project is archived.',
      text: 'The site is offline, and nothing can be added or changed. You can still read and export everything.',
      actions:
        may('project:write') &&
        html`<a class="button small" href="${path('restore')}">Restore…</a>`,
    })
  )
}

/** Renders a page outside of projects. */
export function accountPage(screen: Screen, { title, body, status }: Page): Response {
  const text = renderDocument({
    title,
    assets: screen.visit.assets,
    theme: screen.theme,
    body: html`
      ${skipLink()}
      <header class="top">
        <div class="top-row">
          ${homeLink()}
          <div class="top-end">${personMenu(screen)}</div>
        </div>
      </header>
      <div class="frame alone">
        <main id="main" tabindex="-1">${body}</main>
      </div>
    `,
  })
  return htmlResponse(text, status)
}

const skipLink = () => html`<a class="skip" href="#main">Skip to content</a>`

const homeLink = () =>
  html`<a class="home" href="/" aria-label="Octavo, all projects">${logo()}</a>`

function projectCrumbs({ organization, project, me }: ProjectScreen): Html {
  const all = me.organizations.flatMap(({ projects }) => projects)
  const items = all.map(
    (one) =>
      html`
        <li>
          <a href="/projects/${one.id}"${one.id === project.id && html` aria-current="true"`}>
            ${one.id === project.id ? icon('check') : html`<span class="icon"></span>`}
            ${one.name}
          </a>
        </li>
      `,
  )
  return html`
    <nav class="crumbs" aria-label="Where you are">
      <a class="crumb organization" href="/">
        <span class="cut">${organization.name}</span>
      </a>
      <span class="slash" aria-hidden="true">/</span>
      <details class="menu">
        <summary class="crumb">
          <span class="cut">${project.name}</span>
          ${icon('chevrons')}
        </summary>
        <ul>
          ${items}
          <li class="line" aria-hidden="true"></li>
          <li><a href="/#new">${icon('plus')}New project</a></li>
        </ul>
      </details>
    </nav>
  `
}

function siteLink({ site }: ProjectScreen): HtmlPart {
  const url = webAddress(site.url)
  return (
    url !== undefined &&
    html`
      <a class="button quiet small site-link" href="${url}">
        <span class="cut">${hostOf(url)}</span>
        ${icon('arrow-up-right')}
      </a>
    `
  )
}

function personMenu({ visit }: Screen): Html {
  const { name, email } = visit.person
  return html`
    <button class="icon-button" type="button" hidden data-theme-switch aria-label="Light or dark">
      ${contrastIcon()}
    </button>
    <details class="menu end">
      <summary class="icon-button">
        ${avatar(name)}
        <span class="sr-only">You: ${name}</span>
      </summary>
      <ul>
        <li class="who"><b>${name}</b><br>${email}</li>
        <li class="line" aria-hidden="true"></li>
        <li><a href="/account">Your account</a></li>
        <li><a href="/">All projects</a></li>
        <li class="line" aria-hidden="true"></li>
        <li>
          <form method="post" action="/sign-out">
            ${hiddenFields({ token: visit.formToken })}
            <button>Sign out</button>
          </form>
        </li>
      </ul>
    </details>
  `
}

/**
 * Renders the button that opens the side navigation on a phone, as a popover without JavaScript.
 */
function sectionsButton(id: SectionId): Html {
  const { icon: sign, label } = sectionOf(id)
  return html`
    <button class="sections-button" type="button" popovertarget="sections">
      ${icon(sign)}
      ${label}
      ${icon('chevron-down')}
    </button>
  `
}

function sideNavigation(screen: ProjectScreen, current: SectionId): Html {
  const groups = SECTION_GROUPS.map(({ title, sections }) => {
    const shown = sections.filter(({ scope }) => screen.may(scope))
    if (shown.length === 0) return undefined
    const items = shown.map(
      ({ id, label, icon: sign }) =>
        html`
          <li>
            <a href="${id === 'overview' ? `/projects/${screen.project.id}` : screen.path(id)}"
              ${id === current && html` aria-current="page"`}>
              ${icon(sign)}
              ${label}
              ${id === 'gaps' && gapCount(screen)}
            </a>
          </li>
        `,
    )
    return html`${title !== '' && html`<h2>${title}</h2>`}<ul>${items}</ul>`
  })
  return html`<nav class="side" id="sections" popover aria-label="Sections of the project">${groups}</nav>`
}

/** Renders the number of open gaps, which wait for the owner. */
const gapCount = ({ site: { openGaps = 0 } }: ProjectScreen): HtmlPart =>
  openGaps > 0 &&
  html`<span class="count">${countText(openGaps)}<span class="sr-only"> open</span></span>`
