import {
  EMPTY_FRONTMATTER,
  type Frontmatter,
  type Navigation,
  NO_SPECIFICATIONS,
  type OperationListing,
  parseConfig,
  resolveNavigation,
} from '@octavo/model'
import { createFrame, type Frame } from '../src/frame/create-frame.ts'
import type { FrameInput, PageView } from '../src/frame/frame-input.ts'
import { frameIcons } from '../src/icons/frame-icons.ts'
import { createIconSprite } from '../src/icons/icon-sprite.ts'
import type { InterfaceTexts } from '../src/words/interface-text.ts'
import { testIcons } from './few-icons.ts'

export type SampleFrame = {
  readonly frame: Frame
  readonly navigation: Navigation
  readonly view: (path: string, fields?: Frontmatter['fields']) => PageView
}

/** Creates the frame of a site from its docs.json. Every path in the file becomes a page. */
export function sampleFrame(
  written: object,
  options: {
    readonly operations?: readonly OperationListing[]
    readonly describe?: (path: string) => string | undefined
    readonly texts?: InterfaceTexts
    readonly specificationUrl?: string
    readonly hasAddress?: boolean
    /** The groups that may read each page, by page path; other pages have the default label. */
    readonly groups?: Readonly<Record<string, readonly string[]>>
    readonly modes?: FrameInput['modes']
    readonly saveTree?: FrameInput['saveTree']
    readonly basePath?: FrameInput['basePath']
  } = {},
): SampleFrame {
  const text = JSON.stringify(written)
  const { config } = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
  if (config === undefined) throw new Error('not read')
  const paths = [...text.matchAll(/"([\w/-]+)"/g)].map((match) => match[1] ?? '')
  const pages = new Map(
    paths.map((path) => {
      const groups = options.groups?.[path]
      const fields = groups === undefined ? {} : { groups }
      const frontmatter = { ...EMPTY_FRONTMATTER, fields }
      return [path, { path, file: `${path}.mdx`, frontmatter, isPageOnlyWhenListed: false }]
    }),
  )
  const { navigation } = resolveNavigation({
    written: config.navigation,
    pages,
    ...NO_SPECIFICATIONS,
    operations: () => options.operations ?? [],
    hasFile: () => true,
  })
  const frame = createFrame({
    config,
    navigation,
    assets: {
      styles: ['/assets/theme.css'],
      parts: {
        components: '/assets/components.css',
        directory: '/assets/directory.css',
        side: '/assets/side.css',
      },
      authorStyles: ['/author.css'],
      scripts: ['/assets/theme.js'],
    },
    icons: {
      url: '/_octavo/icons.svg',
      sprite: createIconSprite(frameIcons(config, navigation), testIcons()),
    },
    hasLabels: options.groups !== undefined,
    ...(options.hasAddress !== false && { siteUrl: 'https://docs.example.com/' }),
    ...(options.specificationUrl && {
      specification: { url: options.specificationUrl, access: 'public' },
    }),
    ...(options.texts === undefined ? {} : { texts: options.texts }),
    ...(options.describe === undefined ? {} : { describe: options.describe }),
    ...(options.modes && { modes: options.modes }),
    ...(options.saveTree && { saveTree: options.saveTree }),
    ...(options.basePath && { basePath: options.basePath }),
  })
  const view = (path: string, fields: Frontmatter['fields'] = {}): PageView => {
    const entry = navigation.byPath.get(path)
    return {
      path,
      url: entry?.url ?? `/${path}`,
      title: `Title of ${path}`,
      description: 'About <it>.',
      content: '<p>Content</p>',
      headings: [
        { level: 2, id: 'one', text: 'One & only' },
        { level: 3, id: 'two', text: 'Two' },
        { level: 2, id: 'three', text: 'Three' },
        { level: 4, id: 'four', text: 'Too deep' },
      ],
      entry,
      access: entry?.access ?? 'default',
      frontmatter: { fields, metadata: { 'og:image': '/og.png', own: 'data' } },
    }
  }
  return { frame, navigation, view }
}
