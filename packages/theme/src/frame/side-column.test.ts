import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'
import { splitSide } from './side-column.ts'

const REQUEST = '<aside class="oct-example oct-request" aria-label="Request"><p>a</p></aside>'
const PANEL = `<aside class="oct-panel">${REQUEST}<aside>own</aside></aside>`

describe('side column', () => {
  test('examples and panels are moved to the side column in their order', () => {
    expect(splitSide(`<p>1<br></p>${REQUEST}<p>2</p>${PANEL}<p>3</p>`)).toEqual({
      before: '<p>1<br></p>',
      after: '<p>2</p><p>3</p>',
      side: REQUEST + PANEL,
    })
  })

  test('a component is never split for the side column', () => {
    expect(splitSide(`<div><p>1</p>${REQUEST}</div><p>2</p>`)).toEqual({
      before: '',
      after: '<div><p>1</p></div><p>2</p>',
      side: REQUEST,
    })
  })

  test('an aside that the author wrote stays in the text', () => {
    const html = '<aside class="mine">x</aside><p>&lt;aside class="oct-panel"&gt;</p>'
    expect(splitSide(html)).toEqual({ before: '', after: html, side: '' })
  })

  test('an unclosed panel stays in the text', () => {
    const html = '<aside class="oct-panel"><p>x</p>'
    expect(splitSide(html)).toEqual({ before: '', after: html, side: '' })
  })

  test('the side column replaces the table of contents', () => {
    const { frame, view } = sampleFrame({ navigation: { pages: ['index'] } })
    const content = `<p>1</p>${REQUEST}`
    const html = frame.renderPage({ ...view('index'), content, styleParts: ['components', 'side'] })
    expect(html).toContain(
      `<div class="oct-content"><p>1</p></div><div class="oct-side oct-content">${REQUEST}</div><div class="oct-content oct-rest"></div>`,
    )
    expect(html).toContain('oct-has-side')
    expect(html).toContain('/assets/side.css')
    expect(html).not.toContain('<aside id="oct-contents"')
    expect(frame.renderPage(view('index'))).toContain('<aside id="oct-contents"')
  })
})
