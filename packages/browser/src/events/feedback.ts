/**
 * Asks readers for feedback on the page and its code, if docs.json enables it. Loaded by the
 * listener.
 */
import { askAboutCode } from './code-feedback.ts'
import { STYLES } from './feedback-styles.ts'
import { askAboutPage } from './page-feedback.ts'

const main = document.querySelector('main')
const wanted = main?.dataset.feedback?.split(' ') ?? []
const styles = new CSSStyleSheet()
styles.replaceSync(STYLES)
document.adoptedStyleSheets.push(styles)
// A page with a custom layout has no place for the question.
const article = main?.querySelector('article')
if (wanted.includes('page') && article) askAboutPage(article)
if (wanted.includes('code')) for (const code of all('main .oct-code')) askAboutCode(code)

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector)
}
