/** The host's script for previews of a site with an assistant. */
import '../assistant/loader.ts'
import './bar.ts'
