/**
 * The script that whoever hosts a site adds to its pages. A deployment never changes and has to work
 * with the services of years to come, so everything that speaks to the service (assistant, feedback,
 * events, the bar of previews) is loaded by the service's own script at this fixed address, and never
 * by a script of the deployment.
 */
export const HOST_SCRIPT_PATH = '_octavo/host.js'

/** What a build writes there, for hosts that have nothing to add. The manifest does not list it. */
export const PLAIN_HOST_SCRIPT = '// octavo-service serves another script here.\n'

/** What the author says to the assistant, for the service alone: readers do not get this file. */
export const ASSISTANT_FILE_PATH = '_octavo/assistant.json'
