/**
 * The script that whoever hosts a site adds to its pages. A deployment never changes and has to work
 * with the services of years to come, so everything that speaks to the service (assistant, feedback,
 * events, the bar of previews) is to be loaded by the service's own script at this fixed address,
 * and never by a script of the deployment. Nothing is loaded yet; the pages of today name it already.
 */
export const HOST_SCRIPT_PATH = '_octavo/host.js'

/** What a build writes there, for hosts that have nothing to add. The manifest does not list it. */
export const PLAIN_HOST_SCRIPT = '// octavo-service serves another script here.\n'
