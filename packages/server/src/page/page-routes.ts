/** The page itself: open to everyone who reaches the server, since it holds no text. Its requests for data need a key. */
import { type Context, Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { RequestError } from '../request-error.ts'
import { safeHeaders } from '../safety/safe-headers.ts'
import { encodings, type PageFile, readPage } from './page-files.ts'

/** Only its own files run or are loaded, and no other page shows it in a frame. */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

/** @param folder of the built page */
export function pageRoutes(folder: string): Hono {
  let read: ReturnType<typeof readPage> | undefined
  const file = async (path: string) => {
    read ??= readPage(folder)
    return (await read).get(path)
  }
  const routes = new Hono()
  routes.use('/', secureHeaders({ ...safeHeaders, contentSecurityPolicy }))
  routes.use('/assets/*', secureHeaders({ ...safeHeaders, contentSecurityPolicy }))
  routes.get('/', async (c) => {
    const page = await file('index.html')
    if (!page) throw notBuilt()
    // It names files that change with every version.
    return sent(c, page, 'no-cache')
  })
  routes.get('/assets/:name', async (c) => {
    const asset = await file(`assets/${c.req.param('name')}`)
    return asset ? sent(c, asset, 'public, max-age=31536000, immutable') : c.notFound()
  })
  return routes
}

function sent(
  c: Context,
  { type, tag, content, encodings: compressed }: PageFile,
  caching: string,
): Response {
  c.header('cache-control', caching)
  c.header('vary', 'accept-encoding')
  c.header('etag', tag)
  if (c.req.header('if-none-match') === tag) return c.body(null, 304)
  c.header('content-type', type)
  const taken = encodings.find((encoding) => compressed[encoding] && takes(c, encoding))
  if (taken === undefined) return c.body(content)
  c.header('content-encoding', taken)
  return c.body(compressed[taken]!)
}

/** Whether the client names this encoding, and does not refuse it (`br;q=0`). */
const takes = (c: Context, encoding: string): boolean =>
  (c.req.header('accept-encoding') ?? '').split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    return name === encoding && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
  })

const notBuilt = () =>
  new RequestError({
    status: 404,
    code: 'server/page-not-built',
    message: 'The page is not built.',
    hint: 'In the folder of the repository: npm run build:page',
  })
