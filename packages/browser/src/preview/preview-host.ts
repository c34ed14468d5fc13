/** The script of the host in previews of a site with an assistant. */
import '../assistant/loader.ts'
import './bar.ts'
