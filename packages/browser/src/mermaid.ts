/** The diagram library, hosted by the site. Its parts are loaded on demand. */
import mermaid from 'mermaid'

export { mermaid }
