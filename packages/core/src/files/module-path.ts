/** Whether a name is the path of a user's own module: `./mine.ts`, `.\mine.ts`, `/home/ann/mine.mjs`, `file:...`. */
export const isModulePath = (name: string): boolean => /^(?:\.{0,2}[\\/]|file:|[a-z]:[\\/])/i.test(name)
