/** The neutral colors of each look: backgrounds, text and lines, for light and dark. */
import type { LookName } from './theme-looks.ts'

/** Token names of neutral colors, in the order in which they are printed. */
export type Neutrals = {
  readonly page: string
  /** The background of cards and menus. */
  readonly raised: string
  /** The background of code and form fields. */
  readonly sunken: string
  readonly text: string
  /** The color of headings and emphasized text. */
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
    light: neutrals('#ffffff #ffffff #f7f8f9 #383f4a #0d1117 #59616d #e6e9ed #cfd4db'),
    dark: neutrals('#0c0e12 #171b22 #12151a #bec5d0 #f1f3f6 #98a1af #262c36 #3a424f'),
  },
  maple: {
    light: neutrals('#ffffff #ffffff #f7f7f8 #3d3d45 #131316 #66666f #e8e8eb #d2d2d8'),
    dark: neutrals('#101013 #1c1c21 #161619 #c0c0ca #f4f4f6 #9b9ba7 #2a2a31 #41414b'),
  },
  almond: {
    light: neutrals('#f4f3f0 #ffffff #f8f7f5 #433f39 #191713 #6b665e #e5e2dc #d0ccc4'),
    dark: neutrals('#12110f #1e1c1a #171614 #c5c0b7 #f5f3ef #9e988e #2e2b28 #46433e'),
  },
  willow: {
    light: neutrals('#fefefd #ffffff #f7f7f5 #35373b #0f1012 #666970 #e9e9e6 #d3d3cf'),
    dark: neutrals('#131416 #1e1f23 #191a1d #c4c6cb #f5f5f3 #999ca3 #2c2d32 #43454b'),
  },
  linden: {
    light: neutrals('#fcfcfa #fcfcfa #f7f7f4 #34362f #14150f #62655a #d9dad2 #b7b9ad'),
    dark: neutrals('#0b0d0b #151915 #111411 #b9c2b7 #eff5ed #8d9886 #283128 #404c3f'),
  },
}

/** Semantic colors, which are the same in every look. */
export const HUES: Readonly<Record<string, Readonly<Record<SchemeName, string>>>> = {
  blue: { light: '#1a5cce', dark: '#7fb0ff' },
  green: { light: '#157038', dark: '#4ade80' },
  sky: { light: '#0369a1', dark: '#56c2f5' },
  yellow: { light: '#8a5a00', dark: '#f0bb4f' },
  orange: { light: '#b04308', dark: '#ff9a5c' },
  red: { light: '#bc2230', dark: '#ff8088' },
  purple: { light: '#6b3fc4', dark: '#b79bff' },
  gray: { light: '#59626f', dark: '#9aa3b1' },
}

/**
 * The faintest color of highlighted code. A background on which it is not readable is not used for
 * code.
 */
export const FAINTEST_CODE: Readonly<Record<SchemeName, string>> = {
  light: '#68717d',
  dark: '#7d8796',
}
