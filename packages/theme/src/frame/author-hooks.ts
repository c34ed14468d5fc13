/**
 * Ids and classes by which authors' stylesheets and scripts know the parts of a page: those that the
 * product documents which many sites come from. They are written only where an author's file names
 * them, so that no other page has ids beside those of its headings.
 */

/** How a name is put into the page: the start of a tag of ours, and the same with the name. */
type Hook = readonly [start: string | RegExp, withName: string]

const HOOKS: Readonly<Record<string, readonly Hook[]>> = {
  '#navbar': [['<header class="oct-header"', '<header id="navbar" class="oct-header"']],
  '#banner': [['<div class="oct-banner', '<div id="banner" class="oct-banner']],
  '#topbar-cta-button': [
    ['<li><a class="oct-primary"', '<li id="topbar-cta-button"><a class="oct-primary"'],
  ],
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
  '#header': [['<header class="oct-title"', '<header id="header" class="oct-title"']],
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

/** What stands around the list of pages has no part of ours, so it is made. */
const LISTS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '#sidebar-content': ['<div id="sidebar-content">', '</div>'],
  '#navigation-items': ['<div id="navigation-items">', '</div>'],
}

const NAMES = [...Object.keys(HOOKS), ...Object.keys(LISTS)]

/** Those of the names that a stylesheet or a script of the author's has. */
export function hooksIn(text: string): readonly string[] {
  return NAMES.filter((name) => {
    const word = name.slice(1)
    const at = text.indexOf(word)
    return at >= 0 && new RegExp(`[${name[0]}'"\`]${word}(?![\\w-])`).test(text)
  })
}

/** The page with the names that are wanted. An id that its text has already stays where it is. */
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
    // What opens it knows it by its id.
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
