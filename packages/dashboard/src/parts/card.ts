/** Cards, lists of facts and page headings. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

export type Card = {
  readonly title: HtmlPart
  readonly aside?: HtmlPart
  readonly body: HtmlPart
  readonly foot?: HtmlPart
  /** True for a body without padding, such as a table or a log. */
  readonly isFlush?: boolean
  readonly id?: string
}

export function card({ title, aside, body, foot, isFlush, id }: Card): Html {
  return html`
    <section class="card"${id && html` id="${id}"`}>
      ${cardHead(title, aside)}
      ${isFlush ? body : html`<div class="card-body">${body}</div>`}
      ${foot && html`<div class="card-foot">${foot}</div>`}
    </section>
  `
}

export function cardHead(title: HtmlPart, aside?: HtmlPart): Html {
  return html`<div class="card-head"><h2>${title}</h2>${aside && html`<div class="aside">${aside}</div>`}</div>`
}

export type PageHead = {
  readonly title: string
  readonly lead?: HtmlPart
  readonly back?: { readonly href: string; readonly label: string }
  readonly state?: HtmlPart
  readonly actions?: HtmlPart
}

export function pageHead({ title, lead, back, state, actions }: PageHead): Html {
  return html`
    <div class="head">
      <div>
        ${back && html`<a class="back" href="${back.href}">${icon('arrow-left')}${back.label}</a>`}
        <h1>${title}</h1>
        ${lead && html`<p class="lead">${lead}</p>`}
        ${state && html`<div class="head-state">${state}</div>`}
      </div>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
  `
}

export type Fact = readonly [name: string, value: HtmlPart]

/** Renders names above values, in columns. */
export function factColumns(facts: readonly Fact[]): Html {
  return html`
    <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  `
}

/** Renders names before values, one per line. */
export function factList(facts: readonly (Fact | undefined)[]): Html {
  const lines = facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)
  return html`<dl class="fact-list">${lines}</dl>`
}

/** Renders the text that replaces an empty list: what will appear here, and how. */
export function emptyState(title: string, text: HtmlPart, action?: HtmlPart): Html {
  return html`<div class="empty"><b>${title}</b><p>${text}</p>${action}</div>`
}

/** Renders an avatar with a person's initials. */
export function avatar(name: string): Html {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
  return html`<span class="avatar" aria-hidden="true">${letters || '?'}</span>`
}

export function person(name: string): Html {
  return html`<span class="person">${avatar(name)}${name}</span>`
}

/** Renders a short commit hash. */
export function commitTag(commit: string | undefined): HtmlPart {
  return commit !== undefined && html`<span class="mono">${commit.slice(0, 7)}</span>`
}

/** Renders the whole name of a branch, which may take several lines. */
export function branchTag(branch: string | undefined): HtmlPart {
  return branch !== undefined && html`<span class="tag branch">${icon('branch')}${branch}</span>`
}
