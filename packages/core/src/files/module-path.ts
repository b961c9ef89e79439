/** Whether something is named by the path of a module of somebody's own: `./mine.ts`, `.\mine.ts`, `/home/ann/mine.mjs`, `file:...`. */
export const isModulePath = (name: string): boolean => /^(?:\.{0,2}[\\/]|file:|[a-z]:[\\/])/i.test(name)
