/**
 * IDs and classes that authors' stylesheets and scripts use for the parts of a page, as documented
 * by the product that many sites migrate from. They are written only if an author's file uses them,
 * so that other pages have no IDs besides those of headings.
 */

/**
 * Adds a name to the page by replacing the start of one of our tags with the same start plus the
 * name.
 */
type Hook = readonly [start: string | RegExp, withName: string]

const HOOKS: Readonly<Record<string, readonly Hook[]>> = {
  '#navbar': [['<header class="oct-header"', '<header id="navbar" class="oct-header"']],
  '#banner': [['<div class="oct-banner', '<div id="banner" class="oct-banner']],
  '#topbar-cta-button': [['<li class="oct-cta', '<li id="topbar-cta-button" class="oct-cta']],
  '#search-bar-entry': [
    ['<button class="oct-search"', '<button id="search-bar-entry" class="oct-search"'],
  ],
  '#content-container': [
    ['<div class="oct-layout">', '<div id="content-container" class="oct-layout">'],
  ],
  '#content-area': [
    ['<article><header class="oct-title"', '<article id="content-area"><header class="oct-title"'],
    ['<div class="oct-content oct-bare', '<div id="content-area" class="oct-content oct-bare'],
  ],
  '#header': [['<header class="oct-title"', '<header id="header" class="relative oct-title"']],
  '#page-title': [['<h1>', '<h1 id="page-title">']],
  '#sidebar': [['<nav id="oct-sidebar"', '<nav id="sidebar"']],
  '#table-of-contents': [
    [
      '<nav aria-labelledby="oct-contents-title"',
      '<nav id="table-of-contents" aria-labelledby="oct-contents-title"',
    ],
  ],
  '#pagination': [['<nav class="oct-neighbours"', '<nav id="pagination" class="oct-neighbours"']],
  '#footer': [['<footer class="oct-footer"', '<footer id="footer" class="oct-footer"']],
  '#page-context-menu': [
    ['<div class="oct-page-menu"', '<div id="page-context-menu" class="oct-page-menu"'],
  ],
  '#request-example': [
    [
      '<aside class="oct-example oct-request"',
      '<aside id="request-example" class="oct-example oct-request"',
    ],
  ],
  '#response-example': [
    [
      '<aside class="oct-example oct-response"',
      '<aside id="response-example" class="oct-example oct-response"',
    ],
  ],
  '.nav-logo': [
    [/(?<=<a class="oct-logo"[^>]*>(?:<img class="[^>]*>)?<img class=")/g, 'nav-logo '],
    [/(?<=<a class="oct-logo"[^>]*><img )(?=src)/g, 'class="nav-logo" '],
  ],
  '.nav-tabs': [['class="oct-tabbar', 'class="nav-tabs oct-tabbar']],
  '.mdx-content': [[/ class="oct-content(?=[ "])/g, ' class="mdx-content oct-content']],
  '.prose': [[/ class="(?=(?:mdx-content )?oct-content[ "])/g, ' class="prose ']],
  '.eyebrow': [[/ class="(?=oct-(?:eyebrow|breadcrumbs)")/g, ' class="eyebrow ']],
  '.sidebar-group': [[/ class="(?=oct-group")/g, ' class="sidebar-group ']],
  '.sidebar-group-header': [[/ class="(?=oct-group-title")/g, ' class="sidebar-group-header ']],
  '.card': [[/ class="(?=oct-card[ "])/g, ' class="card ']],
  '.callout': [[/ class="(?=oct-callout[ "])/g, ' class="callout ']],
  '.code-block': [[/ class="(?=oct-code[ "])/g, ' class="code-block ']],
  '.code-group': [[/ class="(?=oct-tabs oct-code-group)/g, ' class="code-group ']],
  '.accordion': [[/ class="(?=oct-accordion[ "])/g, ' class="accordion ']],
  '.accordion-group': [[/ class="(?=oct-accordions[ "])/g, ' class="accordion-group ']],
  '.steps': [[/ class="(?=oct-steps[ "])/g, ' class="steps ']],
  '.step': [[/ class="(?=oct-step[ "])/g, ' class="step ']],
  '.frame': [[/ class="(?=oct-frame[ "])/g, ' class="frame ']],
  '.tabs': [[/ class="(?=oct-tabs")/g, ' class="tabs ']],
}

/**
 * Wrappers around the list of pages. They are added as a whole because our HTML has no such
 * elements.
 */
const LISTS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '#sidebar-content': ['<div id="sidebar-content">', '</div>'],
  '#navigation-items': ['<div id="navigation-items">', '</div>'],
}

const NAMES = [...Object.keys(HOOKS), ...Object.keys(LISTS)]

/** Returns the names that an author's stylesheet or script contains. */
export function hooksIn(text: string): readonly string[] {
  return NAMES.filter((name) => {
    const word = name.slice(1)
    const at = text.indexOf(word)
    return at >= 0 && new RegExp(`[${name[0]}'"\`]${word}(?![\\w-])`).test(text)
  })
}

/** Adds the requested names to a page, except IDs that the page already has. */
export function withHooks(page: string, names: readonly string[]): string {
  let hooked = page
  for (const name of names) {
    if (name.startsWith('#') && page.includes(` id="${name.slice(1)}"`)) continue
    const around = LISTS[name]
    if (around !== undefined) hooked = wrapSidebar(hooked, around)
    for (const [start, withName] of HOOKS[name] ?? []) {
      hooked =
        typeof start === 'string'
          ? hooked.replace(start, () => withName)
          : hooked.replaceAll(start, () => withName)
    }
    // The buttons that open the sidebar refer to it by ID.
    if (name === '#sidebar')
      hooked = hooked.replaceAll('popovertarget="oct-sidebar"', 'popovertarget="sidebar"')
  }
  return hooked
}

function wrapSidebar(page: string, [open, close]: readonly [string, string]): string {
  return page.replace(
    /(<nav id="[\w-]+" class="oct-sidebar"[^>]*>)(.*?)(<\/nav>)/s,
    (_, start: string, inside: string, end: string) => `${start}${open}${inside}${close}${end}`,
  )
}
