/** The library that draws diagrams, as a file of the site's own. Its parts are loaded as needed. */
import mermaid from 'mermaid'

export { mermaid }
