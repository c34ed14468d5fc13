/** A test site with every navigation element, as the navigation rules describe them. */
import type { Files } from './temporary-site.ts'

const FILLER = 'A paragraph that takes room, so that there is something to scroll over.\n\n'

function page(title: string, more = ''): string {
  return `---\ntitle: ${title}\ndescription: About ${title}.\n---\n\n## First\n\n${FILLER.repeat(12)}## Second\n\n${FILLER.repeat(12)}${more}`
}

function guides(folder: string, group: string, more: readonly unknown[] = []) {
  return { group, pages: [`${folder}index`, `${folder}install`, ...more] }
}

const NESTED = [
  { group: 'Closed', pages: ['closed/one', { group: 'Deeper', pages: ['closed/deep'] }] },
  { group: 'Opened', expanded: true, pages: ['opened/one'] },
  { group: 'Rooted', root: 'rooted/root', directory: 'accordion', pages: ['rooted/one'] },
]

const CARDS = {
  group: 'Cards',
  root: 'cards/root',
  pages: [
    'cards/one',
    'cards/two',
    { group: 'Plain', root: 'cards/plain', directory: 'none', pages: ['cards/three'] },
  ],
}

const TABS = [
  {
    tab: 'Guides',
    directory: 'card',
    groups: [guides('', 'Start', NESTED), CARDS],
  },
  {
    tab: 'Learn',
    menu: [
      { item: 'Courses', description: 'Step by step.', pages: ['courses/one', 'courses/two'] },
      { item: 'Videos', pages: ['videos/one'] },
      { item: 'Forum', href: 'https://forum.example' },
    ],
  },
  {
    tab: 'Parts',
    anchors: [
      { anchor: 'Cloud', icon: 'cloud', pages: ['cloud/one', 'cloud/two'] },
      { anchor: 'Local', pages: ['local/one'] },
    ],
  },
  {
    tab: 'Drops',
    dropdowns: [
      { dropdown: 'Web', description: 'For browsers.', pages: ['web/start', 'web/more'] },
      { dropdown: 'Phone', pages: ['phone/start'] },
    ],
  },
  {
    tab: 'Products',
    products: [
      { product: 'Pots', description: 'To plant in.', pages: ['pots/start', 'pots/more'] },
      { product: 'Soil', pages: ['soil/start'] },
    ],
  },
  { tab: 'Status', href: 'https://status.example', align: 'end' },
]

const NAVIGATION = {
  global: { anchors: [{ anchor: 'Community', icon: 'users', href: 'https://community.example' }] },
  languages: [
    {
      language: 'en',
      versions: [
        {
          version: '1.0',
          tag: 'Old',
          groups: [guides('v1/', 'Start'), { group: 'Only old', pages: ['v1/gone'] }],
        },
        { version: '2.0', default: true, tag: 'Latest', tabs: TABS },
      ],
    },
    {
      language: 'de',
      banner: { content: 'Neu auf [Deutsch](/de/install).', dismissible: true },
      navbar: {
        links: [{ label: 'Neuigkeiten', href: 'https://blog.example/de' }],
        primary: { type: 'button', label: 'Anmelden', href: 'https://app.example/de' },
      },
      footer: {
        socials: { x: 'https://x.com/octavo_de' },
        links: [{ header: 'Firma', items: [{ label: 'Impressum', href: '/de/install' }] }],
      },
      groups: [guides('de/', 'Anfang')],
    },
    { language: 'ar', groups: [guides('ar/', 'البداية')] },
    { language: 'jp', groups: [guides('jp/', 'はじめに')] },
  ],
}

const CONTEXTUAL = {
  options: [
    'copy',
    'view',
    'download-spec',
    'download-pdf',
    'chatgpt',
    'claude',
    'mcp',
    {
      title: 'Ask the forum',
      description: 'With this page.',
      href: { base: 'https://forum.example/new', query: [{ key: 'text', value: '$page' }] },
    },
  ],
}

const PATHS = [
  'closed/one',
  'closed/deep',
  'opened/one',
  'rooted/root',
  'rooted/one',
  'cards/root',
  'cards/one',
  'cards/two',
  'cards/plain',
  'cards/three',
  'courses/one',
  'courses/two',
  'videos/one',
  'cloud/one',
  'cloud/two',
  'local/one',
  'web/start',
  'web/more',
  'phone/start',
  'pots/start',
  'pots/more',
  'soil/start',
  'v1/index',
  'v1/install',
  'v1/gone',
]

export const NAVIGATION_DOCS = {
  name: 'Garden',
  theme: 'mint',
  colors: { primary: '#0f766e', light: '#2dd4bf', dark: '#115e59' },
  styling: { eyebrows: 'breadcrumbs' },
  banner: { content: 'Spring is **here**.', dismissible: true },
  navbar: { links: [{ label: 'Blog', href: 'https://blog.example' }] },
  footer: { links: [{ header: 'Company', items: [{ label: 'Imprint', href: '/install' }] }] },
  api: { openapi: 'api/plants.yaml' },
  contextual: CONTEXTUAL,
  navigation: NAVIGATION,
}

export const NAVIGATION_SITE: Files = {
  'docs.json': JSON.stringify(NAVIGATION_DOCS),
  'api/plants.yaml': 'openapi: 3.1.0\ninfo: { title: Plants, version: "1" }\npaths: {}\n',
  'own.css': '.dark .own { outline: 3px solid red }\n',
  'index.mdx': page('Start', '<Note>Of the start.</Note>\n\n<div className="own">Own</div>\n'),
  'install.mdx': page('Install'),
  'de/index.mdx': page('Anfang', '<Note>Vom Anfang.</Note>\n'),
  'de/install.mdx': page('Einrichten'),
  'ar/index.mdx': page('البداية', '<Note>عن البداية.</Note>\n'),
  'ar/install.mdx': page('التثبيت'),
  'jp/index.mdx': page('はじめに'),
  'jp/install.mdx': page('インストール'),
  ...Object.fromEntries(PATHS.map((path) => [`${path}.mdx`, page(`Page ${path}`)])),
}
