/** The host's script for previews of a site that has an assistant. */
import '../assistant/loader.ts'
import './bar.ts'
