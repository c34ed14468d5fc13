/** The folder in a built site for all our files that are not pages. */
export const OWN_FOLDER = '_octavo'
