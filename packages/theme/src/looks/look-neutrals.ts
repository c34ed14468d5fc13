/** The greys of each look: grounds, text and lines, for light and dark. */
import type { LookName } from './theme-looks.ts'

/** Written in the order in which they are printed. */
export type Neutrals = {
  readonly page: string
  /** Cards, menus. */
  readonly raised: string
  /** Code, fields. */
  readonly sunken: string
  readonly text: string
  /** Headings and what matters. */
  readonly strong: string
  readonly muted: string
  readonly line: string
  readonly 'line-strong': string
}

export type SchemeName = 'light' | 'dark'

function neutrals(list: string): Neutrals {
  const [page = '', raised = '', sunken = '', text = '', strong = '', muted = '', ...lines] =
    list.split(' ')
  const [line = '', lineStrong = ''] = lines
  return { page, raised, sunken, text, strong, muted, line, 'line-strong': lineStrong }
}

export const LOOK_NEUTRALS: Readonly<Record<LookName, Readonly<Record<SchemeName, Neutrals>>>> = {
  mint: {
    light: neutrals('#ffffff #ffffff #f7f8f9 #3a414c #10141b #626b78 #e6e9ed #cfd4db'),
    dark: neutrals('#0c0e12 #14171d #12151a #b9c0cb #f1f3f6 #8d96a4 #232831 #3a414d'),
  },
  maple: {
    light: neutrals('#ffffff #ffffff #f7f7f8 #3d3d45 #131316 #66666f #e8e8eb #d2d2d8'),
    dark: neutrals('#101013 #18181c #161619 #bcbcc6 #f4f4f6 #93939f #26262c #3e3e47'),
  },
  almond: {
    light: neutrals('#f4f3f0 #ffffff #f8f7f5 #433f39 #191713 #6b665e #e5e2dc #d0ccc4'),
    dark: neutrals('#12110f #1a1917 #171614 #c1bcb3 #f5f3ef #989288 #2a2825 #43403b'),
  },
  willow: {
    light: neutrals('#fefefd #ffffff #f7f7f5 #35373b #0f1012 #666970 #e9e9e6 #d3d3cf'),
    dark: neutrals('#131416 #1a1b1e #191a1d #c2c4c9 #f5f5f3 #94979e #28292d #404248'),
  },
  linden: {
    light: neutrals('#fcfcfa #fcfcfa #f7f7f4 #34362f #14150f #62655a #d9dad2 #b7b9ad'),
    dark: neutrals('#0b0d0b #0f120f #121512 #b4bdb2 #eff5ed #86917f #232b23 #3c473b'),
  },
}

/** Colors that mean something, the same in every look. */
export const HUES: Readonly<Record<string, Readonly<Record<SchemeName, string>>>> = {
  blue: { light: '#1d5fd1', dark: '#7fb0ff' },
  green: { light: '#127a43', dark: '#57d38c' },
  yellow: { light: '#8f5a00', dark: '#f0bb4f' },
  orange: { light: '#b04a0c', dark: '#ff9a5c' },
  red: { light: '#c02633', dark: '#ff8088' },
  purple: { light: '#6b3fc4', dark: '#b79bff' },
  gray: { light: '#59626f', dark: '#9aa3b1' },
}

/** The faintest color of highlighted code; a ground that it cannot be read on is not used for code. */
export const FAINTEST_CODE: Readonly<Record<SchemeName, string>> = {
  light: '#68717d',
  dark: '#7d8796',
}
