/** The file that clients start for each event: `node FILE SETTINGS [EVENT]`. */
export const hookProgram = new URL('./hook-program.js', import.meta.url)
