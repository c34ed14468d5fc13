/** The library for diagrams, which the site hosts. Its parts are loaded on demand. */
import mermaid from 'mermaid'

export { mermaid }
