/**
 * Asks readers for feedback on the page and its code if docs.json enables it. `listener.ts` loads
 * this script.
 */
import { addCodeFeedback } from './code-feedback.ts'
import { STYLES } from './feedback-styles.ts'
import { addPageFeedback } from './page-feedback.ts'

const main = document.querySelector('main')
const wanted = main?.dataset.feedback?.split(' ') ?? []
const styles = new CSSStyleSheet()
styles.replaceSync(STYLES)
document.adoptedStyleSheets.push(styles)
// A page with a custom layout has no article in which to show the question.
const article = main?.querySelector('article')
if (wanted.includes('page') && article) addPageFeedback(article)
if (wanted.includes('code')) for (const code of all('main .oct-code')) addCodeFeedback(code)

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector)
}
