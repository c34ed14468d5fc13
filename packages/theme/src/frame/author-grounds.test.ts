import { expect, test } from 'vitest'
import { authorGroundStyles } from './author-grounds.ts'

test.each([
  ['#banner { background-color: #0F0F0F; }', '#ffffff', '#ffffff'],
  ['#banner{background:#f1f5f9!important} .dark #banner{background:#475569}', '#000000', '#ffffff'],
  [
    'html.dark #banner { background: black } div#banner { background: white }',
    '#000000',
    '#ffffff',
  ],
  ['a, #banner { background: rgb(250, 250, 250) }', '#000000', '#000000'],
  ['@media (width > 1px) { #banner { background: #123 } }', '#ffffff', '#ffffff'],
])(
  'the banner text is readable on the background that the author CSS %s sets',
  (css, light, dark) => {
    expect(authorGroundStyles(css)).toBe(`#banner{color:light-dark(${light},${dark})}`)
  },
)

test.each([
  '#banner { color: red }',
  '#banner a { background: #000 }',
  '.my#banner-2 { background: #000 }',
  '#banner { background: rgba(0, 0, 0, 0.5) }',
  '#banner { background: linear-gradient(#000, #fff) }',
  '/* #banner { background: #000 } */',
])('the author CSS %s does not change the text color of the banner', (css) => {
  expect(authorGroundStyles(css)).toBe('')
})

test.each([
  ['#topbar-cta-button .group .absolute { background-color: black }', '#ffffff', '#ffffff'],
  ['#topbar-cta-button > a > span { background: #eee; }', '#000000', '#000000'],
  [
    '#topbar-cta-button a { background: #111 } .dark #topbar-cta-button a { background: #fff }',
    '#ffffff',
    '#000000',
  ],
])(
  'the label of the call to action is readable on the background that the author CSS %s sets',
  (css, light, dark) => {
    expect(authorGroundStyles(css)).toBe(
      `#topbar-cta-button{--oct-on-button:light-dark(${light},${dark})}`,
    )
  },
)

test.each([
  '#topbar-cta-button a:hover { background: black }',
  '#topbar-cta-button .group .flex { margin: 5px }',
  '#topbar-cta-button svg { background: black }',
])('the author CSS %s does not change the text color of the call to action', (css) => {
  expect(authorGroundStyles(css)).toBe('')
})
